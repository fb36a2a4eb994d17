/**
 * Plays docker and npm for the guides, neither of which can build an image here: holds the guide to the order in which it works
 * (made, logged in to the very registry, pushed), and writes down what was pushed. What `npm run image` makes is tested by
 * `scripts/image/image.test.ts`.
 *
 * `npm run image`, `docker login --username AWS --password-stdin REGISTRY`, `docker buildx build … --tag NAME --push .`
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

const fail = (why: string): never => {
  process.stderr.write(`${why}\n`)
  process.exit(1)
}
const [verb, ...args] = process.argv.slice(2)

if (verb === 'npm') {
  if (args.join(' ') !== 'run image') fail(`npm ${args.join(' ')}: the guide needs no more than npm run image`)
  writeFileSync('.image', '')
} else if (verb === 'login') {
  const { values, positionals } = parseArgs({
    args,
    options: { username: { type: 'string' }, 'password-stdin': { type: 'boolean' } },
    allowPositionals: true,
  })
  if (values.username !== 'AWS' || values['password-stdin'] !== true)
    fail('ECR takes the user AWS and a password from stdin')
  if (readFileSync(0, 'utf8').trim() === '') fail('no password came')
  writeFileSync('.registry', positionals[0] ?? fail('no registry is named'))
} else if (verb === 'buildx' && args[0] === 'build') {
  const { values, positionals } = parseArgs({
    args: args.slice(1),
    options: { platform: { type: 'string' }, tag: { type: 'string' }, push: { type: 'boolean' } },
    allowPositionals: true,
  })
  if (!existsSync('.image')) fail('COPY dist/image/: not found; npm run image makes it')
  if (values.platform !== 'linux/amd64,linux/arm64') fail('the nodes of the guide are of both architectures')
  const { tag = fail('no tag'), push } = values
  if (push !== true || positionals.join(' ') !== '.') fail('nothing is pushed')
  const registry = existsSync('.registry') ? readFileSync('.registry', 'utf8') : ''
  if (registry === '' || !tag.startsWith(`${registry}/`)) fail(`no basic auth credentials for ${tag}`)
  writeFileSync('.pushed', tag)
} else fail(`docker ${verb} is not played here`)
