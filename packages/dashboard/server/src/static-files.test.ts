import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { StaticFiles } from './static-files.ts'

const newDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'kerf-static-files-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/**
 * Returns a function that requests a path exactly as written, including dots. It resolves to the status, or 0 if the
 * answer breaks off.
 */
const ask = async (directory: string): Promise<(path: string) => Promise<number>> => {
  const files = new StaticFiles(directory)
  const server = createServer((request, response) => {
    if (!files.serve(request, response, String(request.headers['x-path']))) response.writeHead(404).end()
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return async (path) => {
    try {
      const answer = await fetch(address, { headers: { 'x-path': path } })
      await answer.text()
      return answer.status
    } catch {
      return 0
    }
  }
}

test.each([
  ['a file of its own', '/page.html', 200],
  ['a directory whose name begins alike', '/../files-secret/page.html', 404],
  ['the same, encoded', '/%2e%2e/files-secret/page.html', 404],
  ['what lies above', '/../page.html', 404],
])('%s: %s answers %i', async (_name, path, status) => {
  const directory = newDirectory()
  for (const folder of ['files', 'files-secret', '.']) {
    mkdirSync(join(directory, folder), { recursive: true })
    writeFileSync(join(directory, folder, 'page.html'), folder)
  }
  expect(await (await ask(join(directory, 'files')))(path)).toBe(status)
})

test('a file that cannot be opened breaks off only its own answer', async () => {
  const directory = newDirectory()
  writeFileSync(join(directory, 'page.html'), 'page')
  // A socket exists and is not a directory, but it cannot be read.
  const socket = createSocketServer()
  onTestFinished(() => void socket.close())
  await new Promise<void>((resolve) => socket.listen(join(directory, 'socket'), resolve))
  const status = await ask(directory)
  expect(await status('/socket')).toBe(0)
  expect(await status('/page.html')).toBe(200)
})
