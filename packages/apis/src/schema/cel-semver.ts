import type { Environment } from '@marcbachmann/cel-js'

const STRICT =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*))*))?(?:\+[\da-zA-Z-]+(?:\.[\da-zA-Z-]+)*)?$/

/** A semantic version as a CEL value. Build metadata is ignored. */
export class CelSemver {
  readonly numbers: readonly [bigint, bigint, bigint]
  readonly prerelease: readonly string[]

  /** @throws RangeError if the string is not a semantic version */
  constructor(text: string) {
    const match = STRICT.exec(text)
    if (match === null) throw new RangeError(`${JSON.stringify(text)} is not a semantic version`)
    this.numbers = [BigInt(match[1] ?? 0), BigInt(match[2] ?? 0), BigInt(match[3] ?? 0)]
    this.prerelease = match[4]?.split('.') ?? []
  }
}

/** Compares two versions by the precedence of semver.org. Returns a negative number, zero or a positive number. */
export const compareVersions = (a: CelSemver, b: CelSemver): number => {
  for (const place of [0, 1, 2] as const) {
    if (a.numbers[place] !== b.numbers[place]) return a.numbers[place] < b.numbers[place] ? -1 : 1
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0) return b.prerelease.length - a.prerelease.length
  for (const [place, own] of a.prerelease.entries()) {
    const other = b.prerelease[place]
    if (other === undefined) return 1
    if (own === other) continue
    const [isNumber, otherIsNumber] = [/^\d+$/.test(own), /^\d+$/.test(other)]
    if (isNumber && otherIsNumber) return BigInt(own) < BigInt(other) ? -1 : 1
    if (isNumber !== otherIsNumber) return isNumber ? -1 : 1
    return own < other ? -1 : 1
  }
  return a.prerelease.length - b.prerelease.length
}

/** Returns the string as Kubernetes normalizes it: without a leading `v` and leading zeros, and with missing numbers added. */
const normalized = (text: string): string => {
  const [version = '', ...rest] = text.replace(/^v/, '').split(/(?=[-+])/)
  const parts = version.split('.').map((part) => part.replace(/^0+(?=\d)/, ''))
  while (parts.length < 3) parts.push('0')
  return parts.join('.') + rest.join('')
}

const isVersion = (text: string): boolean => {
  try {
    return new CelSemver(text) instanceof CelSemver
  } catch {
    return false
  }
}

/** Registers the functions that Kubernetes has for semantic versions. */
export const registerVersions = (environment: Environment): void => {
  const V = 'kubernetes.Semver'
  environment
    .registerType(V, CelSemver)
    .registerFunction(`semver(string): ${V}`, (text: string) => new CelSemver(text))
    .registerFunction(
      `semver(string, bool): ${V}`,
      (text: string, normalize: boolean) => new CelSemver(normalize ? normalized(text) : text),
    )
    .registerFunction('isSemver(string): bool', isVersion)
    .registerFunction('isSemver(string, bool): bool', (text: string, normalize: boolean) =>
      isVersion(normalize ? normalized(text) : text),
    )
    .registerFunction(`${V}.major(): int`, ({ numbers: [major] }: CelSemver) => major)
    .registerFunction(`${V}.minor(): int`, ({ numbers: [, minor] }: CelSemver) => minor)
    .registerFunction(`${V}.patch(): int`, ({ numbers: [, , patch] }: CelSemver) => patch)
    .registerFunction(`${V}.isLessThan(${V}): bool`, (a: CelSemver, b: CelSemver) => compareVersions(a, b) < 0)
    .registerFunction(`${V}.isGreaterThan(${V}): bool`, (a: CelSemver, b: CelSemver) => compareVersions(a, b) > 0)
    .registerFunction(`${V}.compareTo(${V}): int`, (a: CelSemver, b: CelSemver) =>
      BigInt(Math.sign(compareVersions(a, b))),
    )
    .registerOperator(`${V} == ${V}`, (a: CelSemver, b: CelSemver) => compareVersions(a, b) === 0)
}
