package git

import "golang.org/x/sys/windows"

// notMine reports whether a path may belong to another user. It is true, so that git decides, if the owner is unknown
// or is the group of administrators.
func notMine(path string) bool {
	file, err := windows.GetNamedSecurityInfo(path, windows.SE_FILE_OBJECT, windows.OWNER_SECURITY_INFORMATION)
	if err != nil {
		return true
	}
	owner, _, err := file.Owner()
	if err != nil || owner == nil {
		return true
	}
	me, err := windows.GetCurrentProcessToken().GetTokenUser()
	return err != nil || !owner.Equals(me.User.Sid)
}
