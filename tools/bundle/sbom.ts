import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import type { Bundle } from './make-bundle.ts'

interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  readonly properties?: readonly object[]
}

/** The fields of CycloneDX that this module reads. */
export interface Sbom {
  readonly specVersion: string
  readonly metadata: { readonly component: Component; readonly tools: readonly object[] }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

/**
 * Returns npm's bill of materials for all locked packages. Calls npm without `--omit=dev`, because that would also omit packages that both
 * the bundle and the tests need.
 */
const locked = (root: string): Sbom => {
  const npm = spawnSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--loglevel=error'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 27,
    shell: process.platform === 'win32',
  })
  if (npm.status !== 0) throw new Error(`npm sbom failed: ${npm.stderr.trim()}`)
  return JSON.parse(npm.stdout) as Sbom
}

/** Returns a UUID derived from bytes, so that the same bundle has the same serial number. */
const uuidOf = (bytes: Uint8Array): string => {
  const hash = createHash('sha256').update(bytes).digest('hex')
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `5${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-')
}

/**
 * Returns the bill of materials of a bundle in CycloneDX: npm's data about the locked packages that are in the bundle, without timestamps
 * and random numbers. Throws if the bundle contains a package that is not in npm's data.
 */
export const createSbom = (root: string, { code, version, packages }: Bundle): string => {
  const all = locked(root)
  const refs = new Set(packages.map(({ name, version: of }) => `${name}@${of}`))
  const components = all.components.filter((component) => refs.has(component['bom-ref']))
  const known = new Set(components.map((component) => component['bom-ref']))
  const unknown = [...refs].filter((ref) => !known.has(ref))
  if (unknown.length > 0)
    throw new Error(`the lock file does not know ${unknown.join(', ')}, which the bundle contains`)
  const kerf = `kerf@${version}`
  const edges = all.dependencies
    .filter(({ ref }) => known.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => known.has(each)) }))
  const needed = new Set(edges.flatMap(({ dependsOn }) => dependsOn))
  const direct = all.dependencies
    .filter(({ ref }) => ref.startsWith('@kerf/'))
    .flatMap(({ dependsOn }) => dependsOn)
    .filter((ref) => known.has(ref))
  // A package that no other package in the bundle needs counts as a dependency of Kerf.
  const own = new Set([...direct, ...[...known].filter((ref) => !needed.has(ref))])
  return `${JSON.stringify(
    {
      $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
      bomFormat: 'CycloneDX',
      specVersion: all.specVersion,
      serialNumber: `urn:uuid:${uuidOf(code)}`,
      version: 1,
      metadata: {
        lifecycles: [{ phase: 'build' }],
        tools: all.metadata.tools,
        component: {
          'bom-ref': kerf,
          type: 'application',
          name: 'kerf',
          version,
          purl: `pkg:generic/kerf@${version}`,
          hashes: [{ alg: 'SHA-256', content: createHash('sha256').update(code).digest('hex') }],
          licenses: [{ license: { id: 'Apache-2.0' } }],
        },
      },
      // All of these packages are part of the file, even if the repository needs them only for development.
      components: components.map((component) => ({ ...component, scope: 'required', properties: [] })),
      dependencies: [{ ref: kerf, dependsOn: [...own].sort() }, ...edges],
    },
    null,
    2,
  )}\n`
}
