import type { BundledPackage } from './packages.ts'

/** The accepted licences. The build fails for any other licence until somebody has reviewed it. */
const ACCEPTED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'Unlicense',
])

/** Returns whether a licence is in the list. If a user may choose between several licences (`(A OR B)` in SPDX), one of them is enough. */
const isIn = (accepted: ReadonlySet<string>, license: string): boolean =>
  license
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((choice) => accepted.has(choice))

const RULE = '-'.repeat(80)

const section = ({ name, version, license, homepage, texts }: BundledPackage): string =>
  [
    RULE,
    `${name} ${version} (${license})${homepage === '' ? '' : `\n${homepage}`}`,
    ...(texts.length === 0 ? [`The package brings no text of its licence; it is ${license}.`] : texts),
  ].join('\n\n')

/** The artifact that the notices are for. */
export interface NoticesOf {
  /** The name of the artifact, as shown in the notices. */
  readonly name: string
  /** Additional licences that are accepted for this artifact. */
  readonly accepted: readonly string[]
}

/**
 * Returns the text of THIRD-PARTY-NOTICES: the licence of every package in a bundle.
 * @throws Error for a licence that is not accepted
 */
export const licenseNotices = (
  packages: readonly BundledPackage[],
  { name, accepted }: NoticesOf = { name: 'kerf.mjs', accepted: [] },
): string => {
  const allAccepted = new Set([...ACCEPTED, ...accepted])
  const refused = packages.filter(({ license }) => !isIn(allAccepted, license))
  if (refused.length > 0) {
    const list = refused.map(({ name, license }) => `${name} (${license})`).join(', ')
    throw new Error(`licences that are not among the accepted ones: ${list}; see tools/bundle/notices.ts`)
  }
  const intro = `${name} contains code of the ${packages.length} packages below, each under its own licence.`
  return `${[intro, ...packages.map(section)].join('\n\n')}\n`
}
