import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { ImagePlan } from '../../../tools/image/dockerfile.ts'
import { CODE_CACHE_COMMAND, CODE_CACHE_VARIABLE } from '../../../tools/image/image-files.ts'
import { canHaveRoot, ImageRoot } from '../../../tools/image/image-root.ts'

// Media types and fields are those of the OCI image specification 1.1 (image-layout, image-index, manifest, config).
const INDEX = 'application/vnd.oci.image.index.v1+json'
const MANIFEST = 'application/vnd.oci.image.manifest.v1+json'
const CONFIG = 'application/vnd.oci.image.config.v1+json'
const LAYER = 'application/vnd.oci.image.layer.v1.tar+gzip'

const digestOf = (content: Uint8Array): string => `sha256:${createHash('sha256').update(content).digest('hex')}`

/** An image for several platforms, stored in a directory as an OCI image layout. */
export interface OciLayout {
  readonly directory: string
  /** The text of the image index to which the tag refers. */
  readonly index: string
  readonly digest: string
}

const tarOf = (directory: string, names: readonly string[]): Buffer =>
  execFileSync('tar', ['-c', '--sort=name', '--owner=0', '--group=0', '--numeric-owner', '-C', directory, ...names], {
    maxBuffer: 2 ** 30,
  })

/** Returns an archive with the content of `from` under the path `to`, owned by root as after `COPY`. Needs GNU tar. */
const layerOf = (from: string, to: string): Buffer => {
  const staging = mkdtempSync(join(tmpdir(), 'kerf-layer-'))
  try {
    mkdirSync(join(staging, dirname(to)), { recursive: true })
    cpSync(from, join(staging, to), { recursive: true })
    const [top = ''] = to.split('/').filter((part) => part !== '')
    return tarOf(staging, [top])
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

/**
 * Writes V8's code cache of the program, like the first stage of the Dockerfile. Writes nothing if this machine does not allow changing
 * the root directory.
 */
const codeCache = (context: string, plan: ImagePlan, to: string): void => {
  mkdirSync(to, { recursive: true })
  if (!canHaveRoot()) return
  const root = new ImageRoot([])
  try {
    cpSync(join(context, 'dist', 'image'), join(root.directory, 'app'), { recursive: true })
    const [command, args] = root.command([...plan.entrypoint.slice(0, -1), ...CODE_CACHE_COMMAND], true)
    const written = '/home/nonroot/code-cache'
    const env = { PATH: process.env['PATH'], ...plan.env, HOME: '/home/nonroot' }
    execFileSync(command, args, { env: { ...env, [CODE_CACHE_VARIABLE]: `${written}/kerf.cache` }, stdio: 'ignore' })
    cpSync(join(root.directory, written), to, { recursive: true })
  } finally {
    root.remove()
  }
}

/** Returns a layer with this machine's Node.js and its libraries. It replaces the layers of the base image. */
const baseLayer = (): Buffer => {
  const root = new ImageRoot([])
  try {
    // The files in `/etc` of distroless images that this Node.js needs.
    for (const file of ['/etc/ssl/certs/ca-certificates.crt', '/etc/nsswitch.conf'])
      if (existsSync(file)) root.write(file, readFileSync(file))
    root.write(
      '/etc/passwd',
      'root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n',
    )
    root.write('/etc/group', 'root:x:0:\nnonroot:x:65532:\n')
    return tarOf(root.directory, readdirSync(root.directory))
  } finally {
    root.remove()
  }
}

/** This machine's platform, in the notation of images. */
export const nativePlatform = `linux/${process.arch === 'x64' ? 'amd64' : process.arch}`

/**
 * Builds the image that the Dockerfile in `context` defines, with all layers that Kerf adds and the whole configuration. The base image is
 * missing, because no test downloads it. Both platforms get this machine's code cache. V8 ignores a cache of another platform.
 * @param built the build time, which a builder writes into the provenance, so that two builds never have the same digest
 * @param hasBase adds a base layer to the image of this machine's platform, from the npm package `node` and this machine's libraries, so
 * that a pulled image can run
 */
export const buildLayout = (
  context: string,
  plan: ImagePlan,
  platforms: readonly string[],
  built: Date,
  hasBase = false,
): OciLayout => {
  const directory = join(context, '.layout')
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(join(directory, 'blobs', 'sha256'), { recursive: true })
  const put = (mediaType: string, content: Uint8Array) => {
    const digest = digestOf(content)
    writeFileSync(join(directory, 'blobs', ...digest.split(':')), content)
    return { mediaType, digest, size: content.length }
  }
  const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

  if (plan.copies.some(({ stage }) => stage !== undefined)) codeCache(context, plan, join(context, '.compiled'))
  const base = hasBase ? [baseLayer()] : []
  const own = plan.copies.map(({ from, to, stage }) =>
    layerOf(join(context, stage === undefined ? from : '.compiled'), to),
  )
  const blobs = new Map([...base, ...own].map((archive) => [archive, put(LAYER, gzipSync(archive, { level: 1 }))]))
  const manifests = platforms.map((name) => {
    const [os = '', architecture = ''] = name.split('/')
    const archives = name === nativePlatform ? [...base, ...own] : own
    const layers = archives.map((archive) => blobs.get(archive))
    const config = put(
      CONFIG,
      json({
        created: built.toISOString(),
        os,
        architecture,
        config: {
          User: plan.user,
          Env: Object.entries(plan.env).map(([name, value]) => `${name}=${value}`),
          Entrypoint: plan.entrypoint,
          ...(plan.command.length === 0 ? {} : { Cmd: plan.command }),
          WorkingDir: plan.workingDirectory,
          ExposedPorts: Object.fromEntries(plan.ports.map((port) => [`${port}/tcp`, {}])),
          Labels: plan.labels,
        },
        rootfs: { type: 'layers', diff_ids: archives.map(digestOf) },
        history: [
          ...(archives.length > own.length ? [{ created_by: 'Node and libraries of this machine' }] : []),
          ...plan.copies.map(({ from, to }) => ({ created_by: `COPY ${from} ${to}` })),
        ],
      }),
    )
    const manifest = put(MANIFEST, json({ schemaVersion: 2, mediaType: MANIFEST, config, layers }))
    return { ...manifest, platform: { os, architecture } }
  })
  const index = json({ schemaVersion: 2, mediaType: INDEX, manifests })
  writeFileSync(join(directory, 'index.json'), index)
  writeFileSync(join(directory, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }))
  return { directory, index: readFileSync(join(directory, 'index.json'), 'utf8'), digest: digestOf(index) }
}
