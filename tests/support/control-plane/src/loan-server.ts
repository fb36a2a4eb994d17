import { createServer, type Socket } from 'node:net'

/** A resource that one test file has borrowed. */
export interface Loan<Access> {
  /** The data that the borrower gets, sent as JSON. */
  readonly access: Access
  giveBack(): void
}

/** The response to a borrower, as one line of JSON. */
export type LoanResponse<Access> =
  | { readonly ok: true; readonly access: Access }
  | { readonly ok: false; readonly error: string }

export interface LoanServer {
  /** The path of the socket. A client borrows by connecting, and returns the resource by disconnecting. */
  readonly path: string
  close(): Promise<void>
}

/**
 * Lends one resource to each connection of a socket at `path`. The loan ends with the connection, for example because the borrower was
 * killed.
 */
export const serveLoans = async <Access>(path: string, lend: () => Promise<Loan<Access>>): Promise<LoanServer> => {
  const open = new Set<Socket>()
  const answer = (socket: Socket, response: LoanResponse<Access>): void => {
    if (!socket.destroyed) socket.write(`${JSON.stringify(response)}\n`)
  }
  const serve = async (socket: Socket): Promise<void> => {
    const handedBack = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    try {
      const { access, giveBack } = await lend()
      answer(socket, { ok: true, access })
      if (!socket.destroyed) await handedBack
      giveBack()
    } catch (error) {
      answer(socket, { ok: false, error: error instanceof Error ? error.message : String(error) })
    }
  }
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => socket.destroy())
    // A socket emits `end` only while it is being read, so read it and ignore the data.
    socket.resume()
    void serve(socket)
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
    },
  }
}
