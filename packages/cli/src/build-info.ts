import manifest from '../package.json' with { type: 'json' }
import { bundleContent } from './bundle-content.ts'

/** The version and the commit of this build. */
export interface BuildInfo {
  readonly version: string
  /** The commit from which this build was made; empty if it is unknown. */
  readonly commit: string
}

/**
 * Returns the version and commit of this process. A bundle contains them; a clone takes them from package.json and `KERF_COMMIT`.
 */
export const buildInfo = (env: Readonly<Record<string, string | undefined>>): BuildInfo =>
  bundleContent ?? { version: manifest.version, commit: env['KERF_COMMIT'] ?? '' }

/** Returns the line that `kerf --version` prints. */
export const versionLine = ({ version, commit }: BuildInfo, node: string): string =>
  `kerf ${version} (${[...(commit === '' ? [] : [`commit ${commit}`]), `Node ${node}`].join(', ')})`
