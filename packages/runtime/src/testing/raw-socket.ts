import { connect, type Socket } from 'node:net'

/** Opens a connection to a loopback port. Connection errors are expected in these tests, so they only close the connection. */
export const openSocket = (port: number): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
    socket.on('error', () => socket.destroy())
    socket.once('connect', () => resolve(socket))
    // A refused connection appears as a closed one.
    socket.once('close', () => resolve(socket))
  })

/** Returns everything that is received until the peer closes the connection. */
export const readToEnd = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = ''
    const done = (): void => {
      socket.destroy()
      resolve(text)
    }
    if (socket.destroyed) return done()
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      text += chunk
    })
    socket.once('end', done)
    socket.once('close', done)
  })

/** Returns the received text as soon as it contains `part`, or when the peer has closed the connection. */
export const readUntil = (socket: Socket, part: string): Promise<string> =>
  new Promise((resolve) => {
    let text = ''
    const done = (): void => {
      socket.off('data', take)
      socket.off('end', done)
      socket.off('close', done)
      resolve(text)
    }
    const take = (chunk: Buffer | string): void => {
      text += chunk.toString('latin1')
      if (text.includes(part)) done()
    }
    if (socket.destroyed) return resolve(text)
    socket.on('data', take)
    socket.once('end', done)
    socket.once('close', done)
  })

/** Sends bytes unchanged (text as latin1), and returns everything that is received. */
export const converse = async (port: number, bytes: string | Buffer): Promise<string> => {
  const socket = await openSocket(port)
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  return await readToEnd(socket)
}

/** Returns the status of a response, or `undefined` if the connection closed without one. */
export const responseStatus = (answer: string): number | undefined => {
  const code = /^HTTP\/1\.[01] (\d{3})/.exec(answer)?.[1]
  return code === undefined ? undefined : Number(code)
}
