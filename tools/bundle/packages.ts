import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'

/** A third-party package whose code is in a bundle. */
export interface BundledPackage {
  readonly name: string
  readonly version: string
  /** The SPDX expression in the package's package.json. If that text is not an SPDX expression, the entry in `REVIEWED`. */
  readonly license: string
  readonly homepage: string
  /** The texts of the package's licence and notice files; empty if it has none. */
  readonly texts: readonly string[]
  /** The size in the bundle, in bytes, before whitespace is removed. */
  readonly bytes: number
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string | { readonly type?: string }
  readonly homepage?: string
  readonly repository?: string | { readonly url?: string }
}

/**
 * SPDX identifiers of packages whose package.json contains no valid SPDX expression. They were read from the licence files of these
 * versions.
 */
const REVIEWED: Readonly<Record<string, string>> = {
  '@darabonba/typescript@1.0.5': 'Apache-2.0',
  'url-template@2.0.8': 'BSD-3-Clause',
}

const PACKAGE = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//
const LEGAL = /^(licen[cs]e|notice|copying)([.-].*)?$/i

/** Returns the metadata of the package in a folder. `bytes` is the package's size in the bundle. */
export const readPackage = (root: string, directory: string, bytes: number): BundledPackage => {
  const manifest = JSON.parse(readFileSync(join(root, directory, 'package.json'), 'utf8')) as Manifest
  const { name, version, license, homepage, repository } = manifest
  const names = readdirSync(join(root, directory)).filter((file) => LEGAL.test(file))
  return {
    name,
    version,
    license: REVIEWED[`${name}@${version}`] ?? (typeof license === 'string' ? license : license?.type) ?? 'unknown',
    homepage: homepage ?? (typeof repository === 'string' ? repository : repository?.url) ?? '',
    texts: names.sort().map((file) => readFileSync(join(root, directory, file), 'utf8').trim()),
    bytes,
  }
}

/** Returns the packages whose code is in the outputs of a build, sorted by name and version. */
export const bundledPackages = (root: string, { outputs }: Metafile): readonly BundledPackage[] => {
  const sizes = new Map<string, number>()
  for (const { inputs } of Object.values(outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const [, directory] = PACKAGE.exec(path) ?? []
      if (directory === undefined || bytesInOutput === 0 || !existsSync(join(root, directory))) continue
      sizes.set(directory, (sizes.get(directory) ?? 0) + bytesInOutput)
    }
  }
  const idOf = ({ name, version }: BundledPackage): string => `${name}@${version}`
  return [...sizes]
    .map(([directory, bytes]) => readPackage(root, directory, bytes))
    .sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
}
