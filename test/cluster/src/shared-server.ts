import { mkdtempSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ControlPlane, startControlPlane } from './control-plane.ts'
import { Lending } from './lending.ts'
import { resetCluster } from './reset.ts'
import { startWatchdog } from './watchdog.ts'

/** What a holder is told, as one line of JSON. */
export type SharedResponse =
  | {
      readonly ok: true
      readonly access: {
        readonly server: string
        readonly ca: string
        readonly token: string
        readonly kubeconfig: string
        readonly kubectlPath: string
        /** The ids of its processes. */
        readonly processes: readonly number[]
      }
    }
  | { readonly ok: false; readonly error: string }

export interface SharedServer {
  /** Path of the socket: connect to hold a control plane, hang up to give it back. */
  readonly path: string
  close(): Promise<void>
}

/** How many control planes a run has at most. One that nobody uses costs little; the files that use one mostly wait. */
const MOST_PLANES = 3

/**
 * Lends control planes to the test files of a run: each file has one to itself, emptied. The first starts with the first
 * request, so a run without cluster tests starts nothing; the others when several files ask at once.
 */
export const serveSharedControlPlane = async (): Promise<SharedServer> => {
  const directory = mkdtempSync(join(tmpdir(), 'kerf-shared-'))
  const watchdog = startWatchdog(directory)
  const path = join(directory, 'control-plane.sock')
  const planes = new Lending<ControlPlane>({
    most: MOST_PLANES,
    make: () => startControlPlane(),
    clean: resetCluster,
    discard: (plane) => plane.stop(),
  })
  const open = new Set<Socket>()

  const answer = (socket: Socket, text: SharedResponse): void => {
    if (!socket.destroyed) socket.write(`${JSON.stringify(text)}\n`)
  }
  const lend = async (socket: Socket): Promise<void> => {
    const handedBack = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    try {
      const plane = await planes.borrow()
      const { server, ca, token, kubeconfig, kubectlPath, processes } = plane
      answer(socket, { ok: true, access: { server, ca, token, kubeconfig, kubectlPath, processes } })
      if (!socket.destroyed) await handedBack
      planes.giveBack(plane)
    } catch (error) {
      answer(socket, { ok: false, error: error instanceof Error ? error.message : String(error) })
    }
  }

  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => socket.destroy())
    // Without a reader the end of the stream is never noticed.
    socket.resume()
    void lend(socket)
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
      await planes.close()
      await watchdog.release()
    },
  }
}
