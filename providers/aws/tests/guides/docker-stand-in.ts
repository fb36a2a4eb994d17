/**
 * Simulates docker and npm for the guides, because the tests have neither Docker nor the base image. It supports `npm run image`, `docker
 * login --username AWS --password-stdin REGISTRY` and `docker buildx build … --tag NAME --push .`
 * It checks the order of these commands (build, login to the same registry, push), and records the pushed image. ECR decides whether it
 * accepts the image: the repository must exist, and an immutable tag cannot change its image.
 * With KERF_TEST_REGISTRY (a registry on loopback) and CRANE_PATH (its client), it really builds the image. It pushes the image to that
 * host instead of ECR, under the path and tag of the guide. Without these variables, it only records an empty image index in the emulated
 * ECR.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildLayout } from '../../../../tests/integration/guides/oci-layout.ts'
import { readDockerfile } from '../../../../tools/image/dockerfile.ts'
import { imageFiles, writeImageFiles } from '../../../../tools/image/image-files.ts'
import { imageList } from '../../../../tools/image/image-list.ts'
import { root } from '../../../../tools/source-files.ts'
import { putImage } from './ecr-call.ts'

const DOCKERFILE = 'deploy/image/Dockerfile'
const PLATFORMS = 'linux/amd64,linux/arm64'

const fail = (why: string): never => {
  process.stderr.write(`${why}\n`)
  process.exit(1)
}
const [verb, ...args] = process.argv.slice(2)
const loopback = process.env['KERF_TEST_REGISTRY']
const plan = readDockerfile(readFileSync(join(root, DOCKERFILE), 'utf8'))
const made = join('dist', 'image')

const push = async (image: string): Promise<void> => {
  const [, path = '', tag = ''] = /^[^/]+\/(.+):([^:/]+)$/.exec(image) ?? fail(`${image} has no tag`)
  // BuildKit records the build time, so two builds never have the same digest.
  const built = new Date()
  if (loopback === undefined) {
    const index = { schemaVersion: 2, mediaType: 'application/vnd.oci.image.index.v1+json', manifests: [] }
    await putImage(path, tag, JSON.stringify({ ...index, annotations: { built: built.toISOString() } }))
    return
  }
  const layout = buildLayout(process.cwd(), plan, PLATFORMS.split(','), built)
  await putImage(path, tag, layout.index)
  execFileSync(process.env['CRANE_PATH'] ?? 'crane', [
    'push',
    '--index',
    layout.directory,
    `${loopback}/${path}:${tag}`,
  ])
}

if (verb === 'npm') {
  if (args.join(' ') !== 'run image') fail(`npm ${args.join(' ')}: the guide needs no more than npm run image`)
  if (loopback === undefined) mkdirSync(made, { recursive: true })
  else {
    // Restores the real npm, which writes the bill of materials: in the guide's shell, `npm` is this file.
    process.env['PATH'] = process.env['KERF_TEST_PATH'] ?? ''
    const files = await imageFiles(root, process.env['KERF_COMMIT'] ?? '')
    writeImageFiles(made, files)
    process.stdout.write(imageList(files, plan))
  }
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
    options: {
      file: { type: 'string' },
      platform: { type: 'string' },
      tag: { type: 'string' },
      push: { type: 'boolean' },
    },
    allowPositionals: true,
  })
  if (values.file !== DOCKERFILE) fail(`the Dockerfile of Kerf is ${DOCKERFILE}`)
  if (!existsSync(made)) fail('COPY dist/image/: not found; npm run image makes it')
  if (values.platform !== PLATFORMS) fail('the nodes of the guide are of both architectures')
  const { tag = fail('no tag') } = values
  if (values.push !== true || positionals.join(' ') !== '.') fail('nothing is pushed')
  const registry = existsSync('.registry') ? readFileSync('.registry', 'utf8') : ''
  if (registry === '' || !tag.startsWith(`${registry}/`)) fail(`no basic auth credentials for ${tag}`)
  await push(tag)
  writeFileSync('.pushed', tag)
} else fail(`docker ${verb} is not played here`)
