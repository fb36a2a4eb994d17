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
 * Returns a function that requests a path exactly as written, including dots. It resolves to the status, or to 0 if
 * the response breaks off.
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
  ['a file in the directory', '/page.html', 200],
  ['a directory whose name has the same beginning', '/../files-secret/page.html', 404],
  ['such a directory in an encoded path', '/%2e%2e/files-secret/page.html', 404],
  ['a file above the directory', '/../page.html', 404],
])('%s: the status of %s is %i', async (_name, path, status) => {
  const directory = newDirectory()
  for (const folder of ['files', 'files-secret', '.']) {
    mkdirSync(join(directory, folder), { recursive: true })
    writeFileSync(join(directory, folder, 'page.html'), folder)
  }
  expect(await (await ask(join(directory, 'files')))(path)).toBe(status)
})

test('a file that is created later is served', async () => {
  const directory = newDirectory()
  const status = await ask(directory)
  expect(await status('/page.html')).toBe(404)
  writeFileSync(join(directory, 'page.html'), 'page')
  expect(await status('/page.html')).toBe(200)
})

test('if a file cannot be opened, only its own response breaks off', async () => {
  const directory = newDirectory()
  writeFileSync(join(directory, 'page.html'), 'page')
  // A Unix socket is not a directory, and it cannot be read as a file.
  const socket = createSocketServer()
  onTestFinished(() => void socket.close())
  await new Promise<void>((resolve) => socket.listen(join(directory, 'socket'), resolve))
  const status = await ask(directory)
  expect(await status('/socket')).toBe(0)
  expect(await status('/page.html')).toBe(200)
})
