// npm run image [-- --list]: makes what the Dockerfile copies, in dist/image; with --list says what the image holds, and makes
// nothing. KERF_COMMIT is written into the program.
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readDockerfile } from './image/dockerfile.ts'
import { imageFiles } from './image/image-files.ts'
import { root } from './source-files.ts'

const { values } = parseArgs({ options: { list: { type: 'boolean', default: false } } })
const files = await imageFiles(root, process.env['KERF_COMMIT'] ?? '')
const out = join(root, 'dist', 'image')
if (!values.list) {
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  for (const { name, content } of files) writeFileSync(join(out, name), content)
  chmodSync(join(out, 'kerf.mjs'), 0o755)
}
const { base, entrypoint, user, env } = readDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8'))
const lines = [
  `base        ${base}`,
  ...files.map(({ name, purpose, content }) => {
    const digest = createHash('sha256').update(content).digest('hex')
    return `/app/${name.padEnd(20)} ${String(content.length).padStart(8)}  sha256:${digest.slice(0, 16)}  ${purpose}`
  }),
  `/app/compile-cache/${' '.repeat(16)}made by the base’s Node from kerf.mjs, for its platform`,
  `user        ${user}`,
  `environment ${Object.entries(env)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')}`,
  `entrypoint  ${entrypoint.join(' ')}`,
]
process.stdout.write(`${lines.join('\n')}\n`)
