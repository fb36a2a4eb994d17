import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'

/** A package of others, some of whose code is in a bundle. */
export interface BundledPackage {
  readonly name: string
  readonly version: string
  /** SPDX expression, as the package says. */
  readonly license: string
  readonly homepage: string
  /** Licence and notice files, word for word; empty for a package that brings none. */
  readonly texts: readonly string[]
  /** Of the bundle, before its whitespace is removed. */
  readonly bytes: number
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string | { readonly type?: string }
  readonly homepage?: string
  readonly repository?: string | { readonly url?: string }
}

const PACKAGE = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//
const LEGAL = /^(licen[cs]e|notice|copying)([.-].*)?$/i

/** What a package in a folder says of itself. `bytes` is how much of it a bundle has. */
export const readPackage = (root: string, directory: string, bytes: number): BundledPackage => {
  const manifest = JSON.parse(readFileSync(join(root, directory, 'package.json'), 'utf8')) as Manifest
  const { name, version, license, homepage, repository } = manifest
  const names = readdirSync(join(root, directory)).filter((file) => LEGAL.test(file))
  return {
    name,
    version,
    license: (typeof license === 'string' ? license : license?.type) ?? 'unknown',
    homepage: homepage ?? (typeof repository === 'string' ? repository : repository?.url) ?? '',
    texts: names.sort().map((file) => readFileSync(join(root, directory, file), 'utf8').trim()),
    bytes,
  }
}

/** The packages whose code a build put into its outputs, by name and version. */
export const packagesOf = (root: string, { outputs }: Metafile): readonly BundledPackage[] => {
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
