import manifest from '../package.json' with { type: 'json' }
import { bundleContent } from './bundle-content.ts'

/** What this is a build of. */
export interface BuildInfo {
  readonly version: string
  /** The commit it was built from; empty when it is unknown. */
  readonly commit: string
}

/** Written into a bundle when it is made; in a clone from the manifest and `KERF_COMMIT`. */
export const buildInfo = (env: Readonly<Record<string, string | undefined>>): BuildInfo =>
  bundleContent ?? { version: manifest.version, commit: env['KERF_COMMIT'] ?? '' }

/** What `kerf --version` prints. */
export const versionLine = ({ version, commit }: BuildInfo, node: string): string =>
  `kerf ${version} (${[...(commit === '' ? [] : [`commit ${commit}`]), `Node ${node}`].join(', ')})`
