package wine

import (
	"bytes"
	"debug/pe"
	"encoding/binary"
	"os"
	"path/filepath"

	"example.com/ckpt/internal/disk"
)

// addRandomness makes bcryptprimitives.dll in a wine prefix that lacks it, as wine 8
// does. A Go program reads its random numbers with that library's ProcessPrng and does
// not start without it. The library made here has no code: its only export forwards to
// advapi32's RtlGenRandom, which has the same arguments.
func addRandomness(prefix string) error {
	path := filepath.Join(prefix, "drive_c", "windows", "system32", "bcryptprimitives.dll")
	if disk.Exists(path) {
		return nil
	}
	return os.WriteFile(path, forwarder("bcryptprimitives.dll", "ProcessPrng", "advapi32.SystemFunction036"), 0o666)
}

// forwarder returns a DLL for amd64 with one export, which forwards to another DLL's.
// See "PE Format" in Microsoft's manual, "The .edata Section".
func forwarder(name, export, to string) []byte {
	const (
		headers   = 0x200  // the offset of the section in the file
		section   = 0x1000 // the offset of the section in memory
		size      = 0x200
		directory = 40 // the size of the export directory
	)
	// The section: directory, three tables of one entry each, then the strings.
	at := func(offset int) uint32 { return uint32(section + offset) }
	functions, names, ordinals := directory, directory+4, directory+8
	nameAt := directory + 10
	exportAt := nameAt + len(name) + 1
	toAt := exportAt + len(export) + 1
	end := toAt + len(to) + 1

	var b bytes.Buffer
	put := func(values ...any) {
		for _, v := range values {
			_ = binary.Write(&b, binary.LittleEndian, v) // writing to a buffer never fails
		}
	}
	pad := func(to int) { b.Write(make([]byte, to-b.Len())) }

	b.WriteString("MZ")
	pad(0x3c)
	put(uint32(0x40)) // the offset of the PE header
	b.WriteString("PE\x00\x00")
	put(pe.FileHeader{
		Machine:              pe.IMAGE_FILE_MACHINE_AMD64,
		NumberOfSections:     1,
		SizeOfOptionalHeader: uint16(binary.Size(pe.OptionalHeader64{})),
		Characteristics:      pe.IMAGE_FILE_EXECUTABLE_IMAGE | pe.IMAGE_FILE_LARGE_ADDRESS_AWARE | pe.IMAGE_FILE_DLL,
	})
	optional := pe.OptionalHeader64{
		Magic:                       0x20b,
		SizeOfInitializedData:       size,
		ImageBase:                   0x180000000,
		SectionAlignment:            section,
		FileAlignment:               size,
		MajorOperatingSystemVersion: 6,
		MajorSubsystemVersion:       6,
		SizeOfImage:                 2 * section,
		SizeOfHeaders:               headers,
		Subsystem:                   pe.IMAGE_SUBSYSTEM_WINDOWS_CUI,
		DllCharacteristics:          pe.IMAGE_DLLCHARACTERISTICS_DYNAMIC_BASE | pe.IMAGE_DLLCHARACTERISTICS_NX_COMPAT,
		NumberOfRvaAndSizes:         16,
	}
	optional.DataDirectory[pe.IMAGE_DIRECTORY_ENTRY_EXPORT] = pe.DataDirectory{VirtualAddress: at(0), Size: uint32(end)}
	put(optional, pe.SectionHeader32{
		Name:             [8]uint8{'.', 'e', 'd', 'a', 't', 'a'},
		VirtualSize:      uint32(end),
		VirtualAddress:   section,
		SizeOfRawData:    size,
		PointerToRawData: headers,
		Characteristics:  pe.IMAGE_SCN_CNT_INITIALIZED_DATA | pe.IMAGE_SCN_MEM_READ,
	})
	pad(headers)

	put(uint32(0), uint32(0), uint32(0), at(nameAt), uint32(1)) // flags, time, version, name, first ordinal
	put(uint32(1), uint32(1), at(functions), at(names), at(ordinals))
	put(at(toAt), at(exportAt), uint16(0)) // an address inside the directory is a forwarder
	for _, s := range []string{name, export, to} {
		b.WriteString(s + "\x00")
	}
	pad(headers + size)
	return b.Bytes()
}
