// Goroutines that wait for times: timers, tickers, deadlines of contexts, and random choices.
package main

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

func main() {
	start := time.Now()
	since := func() int64 { return time.Since(start).Milliseconds() }
	if len(os.Args) > 1 {
		fmt.Println("child", os.Args[1])
		time.Sleep(time.Second)
		fmt.Println("child slept", since())
		return
	}
	var lock sync.Mutex
	var all sync.WaitGroup
	say := func(text string) {
		lock.Lock()
		defer lock.Unlock()
		fmt.Println(text, since())
	}
	for _, ms := range []int{300, 100, 200, 250} {
		all.Add(1)
		go func(ms int) {
			defer all.Done()
			<-time.After(time.Duration(ms) * time.Millisecond)
			say(fmt.Sprint("after ", ms))
		}(ms)
	}
	ticker := time.NewTicker(150 * time.Millisecond)
	for n := 0; n < 2; n++ {
		<-ticker.C
		say("tick")
	}
	ticker.Stop()
	all.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), 400*time.Millisecond)
	<-ctx.Done()
	cancel()
	say(ctx.Err().Error())
	// A loop that the runtime must stop for its garbage collector.
	stop := make(chan bool)
	go func() {
		sum := 0
		for n := 0; n < 20000000; n++ {
			sum += n
		}
		stop <- sum > 0
	}()
	runtime.GC()
	<-stop
	words := map[int]int{}
	for n := 0; n < 8; n++ {
		words[n] = n
	}
	order := ""
	for n := range words {
		order += fmt.Sprint(n)
	}
	one, two := make(chan int, 64), make(chan int, 64)
	for n := 0; n < 32; n++ {
		one <- n
		two <- n
	}
	for n := 0; n < 32; n++ {
		select {
		case <-one:
			order += "a"
		case <-two:
			order += "b"
		}
	}
	rand.Seed(time.Now().UnixNano())
	say(fmt.Sprint(order, " ", rand.Intn(1000000)))
	command := exec.Command(os.Args[0], "of mine")
	command.Stdout = os.Stdout
	say(fmt.Sprint("child ended ", command.Run()))
}
