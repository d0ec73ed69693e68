// Writes an entry a second to a file: every odd one is synced.
package main

import (
	"fmt"
	"os"
	"time"
)

func main() {
	file, err := os.OpenFile("journal", os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	for n := 1; ; n++ {
		if _, err := file.WriteString(fmt.Sprint("entry ", n)); err != nil {
			panic(err)
		}
		if n%2 == 1 {
			if err := file.Sync(); err != nil {
				panic(err)
			}
		}
		fmt.Println("written", n)
		time.Sleep(time.Second)
	}
}
