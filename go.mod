module example.com/ckpt

go 1.26
