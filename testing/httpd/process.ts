import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import type { ChildProcess } from 'node:child_process'
import { requireHttpd } from './binary'

/** A running server process. */
export interface Running {
  readonly pid: number
  stop(): Promise<void>
}

/** Starts httpd in the foreground and waits until it takes connections; throws what it said when it ends instead. */
export async function launch(configFile: string, port: number): Promise<Running> {
  const child = spawn(requireHttpd().bin, ['-DFOREGROUND', '-f', configFile], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (data: Buffer) => (said += data.toString('latin1')))
  const ended = new Promise<void>((resolve) => void child.once('close', () => resolve()).once('error', () => resolve()))
  // SIGTERM makes the parent process end its workers, too.
  const kill = (): void => void child.kill('SIGTERM')
  process.once('exit', kill)
  const stop = async (): Promise<void> => {
    process.off('exit', kill)
    if (isAlive(child)) child.kill('SIGTERM')
    await ended
  }
  for (const deadline = Date.now() + 20_000; ; ) {
    if (!isAlive(child)) {
      await stop()
      throw new Error(said.trim() || `${configFile}: the server ended with status ${child.exitCode}`)
    }
    if (await answers(port)) break
    if (Date.now() > deadline) {
      await stop()
      throw new Error(`${configFile}: the server did not answer within 20 seconds: ${said.trim()}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return { pid: child.pid as number, stop }
}

function isAlive(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}
