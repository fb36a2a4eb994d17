import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Locked {
  readonly version?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly resolved?: string
}

/** Searches for a package in the same way as npm: inside the package that needs it, then in each folder above. */
const isFound = (packages: Readonly<Record<string, Locked>>, from: string, name: string): boolean => {
  const isHere = `${from === '' ? '' : `${from}/`}node_modules/${name}` in packages
  if (isHere || from === '') return isHere
  const above = from.lastIndexOf('/node_modules/')
  return isFound(packages, above < 0 ? '' : from.slice(0, above), name)
}

// `npm ci` refuses a lock file without the optional packages of other platforms.
test.each(['package-lock.json', 'bundling/package-lock.json'])(
  '%s contains the optional packages of every platform',
  (file) => {
    const { packages } = JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')) as {
      readonly packages: Readonly<Record<string, Locked>>
    }
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !isFound(packages, path, name))
        .map((name) => `${path}: ${name}`),
    )
    expect(missing).toEqual([])
    // The lock file contains no registry URLs, because users may have their own registry.
    expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([])
  },
)
