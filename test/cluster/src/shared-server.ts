import { mkdtempSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ControlPlane, startControlPlane } from './control-plane.ts'
import { resetCluster } from './reset.ts'
import { startWatchdog } from './watchdog.ts'

/** What a holder is told, as one line of JSON. */
export type SharedAnswer =
  | {
      readonly ok: true
      readonly access: {
        readonly server: string
        readonly ca: string
        readonly token: string
        readonly kubeconfig: string
        readonly kubectlPath: string
      }
    }
  | { readonly ok: false; readonly error: string }

export interface SharedServer {
  /** Path of the socket: connect to hold the control plane, hang up to give it back. */
  readonly path: string
  close(): Promise<void>
}

/**
 * Lends one control plane to the test files of a run, one holder at a time and emptied in between. It starts with the
 * first request, so a run without cluster tests starts nothing.
 */
export const serveSharedControlPlane = async (): Promise<SharedServer> => {
  const directory = mkdtempSync(join(tmpdir(), 'kerf-shared-'))
  const watchdog = startWatchdog(directory)
  const path = join(directory, 'control-plane.sock')
  let plane: ControlPlane | undefined
  let queue: Promise<void> = Promise.resolve()
  const open = new Set<Socket>()

  const lend = async (socket: Socket): Promise<void> => {
    if (socket.destroyed) return
    const handedBack = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    let answer: SharedAnswer
    try {
      if (plane === undefined) plane = await startControlPlane()
      else await resetCluster(plane)
      const { server, ca, token, kubeconfig, kubectlPath } = plane
      answer = { ok: true, access: { server, ca, token, kubeconfig, kubectlPath } }
    } catch (error) {
      answer = { ok: false, error: error instanceof Error ? error.message : String(error) }
    }
    if (!socket.destroyed) socket.write(`${JSON.stringify(answer)}\n`)
    await handedBack
  }

  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => socket.destroy())
    // Without a reader the end of the stream is never noticed.
    socket.resume()
    queue = queue.then(() => lend(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  return {
    path,
    close: async () => {
      server.close()
      for (const socket of open) socket.destroy()
      await queue
      await plane?.stop()
      await watchdog.release()
    },
  }
}
