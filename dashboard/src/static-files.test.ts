import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { StaticFiles } from './static-files.ts'

test.each([
  ['a file of its own', '/page.html', 200],
  ['a directory whose name begins alike', '/../files-secret/page.html', 404],
  ['the same, encoded', '/%2e%2e/files-secret/page.html', 404],
  ['what lies above', '/../page.html', 404],
])('%s: %s answers %i', async (_name, path, status) => {
  const directory = mkdtempSync(join(tmpdir(), 'kerf-static-files-'))
  for (const folder of ['files', 'files-secret', '.']) {
    mkdirSync(join(directory, folder), { recursive: true })
    writeFileSync(join(directory, folder, 'page.html'), folder)
  }
  const files = new StaticFiles(join(directory, 'files'))
  const server = createServer((request, response) => {
    if (!files.serve(request, response, path)) response.writeHead(404).end()
  })
  try {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(status)
  } finally {
    server.closeAllConnections()
    server.close()
    rmSync(directory, { recursive: true, force: true })
  }
})
