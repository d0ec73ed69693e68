// A node that speaks TCP and UDP with others: `talk server PORT` answers, `talk client PORT` asks once a second.
package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"time"
)

func server(port string) {
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		fmt.Println(err)
		return
	}
	datagrams, _ := net.ListenPacket("udp", "127.0.0.1:"+port)
	go func() {
		buffer := make([]byte, 100)
		for {
			n, from, err := datagrams.ReadFrom(buffer)
			if err != nil {
				return
			}
			fmt.Println("datagram", string(buffer[:n]), "from", from)
			datagrams.WriteTo([]byte("got "+string(buffer[:n])), from)
		}
	}()
	fmt.Println("listens on", listener.Addr())
	for {
		conn, err := listener.Accept()
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("accepted", conn.RemoteAddr(), "at", conn.LocalAddr())
		go func() {
			lines := bufio.NewScanner(conn)
			for lines.Scan() {
				fmt.Println("line", lines.Text())
				fmt.Fprintln(conn, "echo", lines.Text())
			}
			fmt.Println("end", lines.Err())
			conn.Close()
		}()
	}
}

func client(port string) {
	datagrams, err := net.Dial("udp", "127.0.0.1:"+port)
	go func() {
		buffer := make([]byte, 100)
		for {
			n, err := datagrams.Read(buffer)
			if err != nil {
				fmt.Println("datagram", err)
				time.Sleep(time.Second)
				continue
			}
			fmt.Println("answer", string(buffer[:n]))
		}
	}()
	for {
		conn, failed := net.DialTimeout("tcp", "127.0.0.1:"+port, 3*time.Second)
		if failed != nil {
			fmt.Println(failed)
			time.Sleep(time.Second)
			continue
		}
		fmt.Println("connected", conn.RemoteAddr())
		answers := make(chan string)
		go func() {
			lines := bufio.NewScanner(conn)
			for lines.Scan() {
				answers <- lines.Text()
			}
			fmt.Println("end", lines.Err())
			close(answers)
		}()
		ticker := time.NewTicker(time.Second)
		for n := 1; conn != nil; {
			select {
			case answer, ok := <-answers:
				if !ok {
					conn.Close()
					conn = nil
					break
				}
				fmt.Println("heard", answer)
			case <-ticker.C:
				fmt.Fprintln(conn, "hello", n)
				fmt.Fprint(datagrams, "ping ", n)
				n++
			}
		}
		ticker.Stop()
		_ = err
	}
}

func main() {
	if os.Args[1] == "server" {
		server(os.Args[2])
	} else {
		client(os.Args[2])
	}
}
