import { defaultFeatureGates, type FeatureGates, nearest, parseGates, SettingValueError } from '@kerf/runtime'
import { InvalidArgumentError, Option } from 'commander'

const KNOWN = Object.keys(defaultFeatureGates)

/** Parses feature gates like `kerf run`, but rejects unknown gates. Otherwise a command would silently ignore a misspelled gate. */
const gates = (text: string): FeatureGates => {
  const names = text.split(',').map((pair) => (pair.split('=')[0] ?? '').trim())
  const unknown = names.find((name) => name !== '' && !KNOWN.includes(name))
  if (unknown !== undefined) {
    const meant = nearest(unknown, KNOWN)
    throw new InvalidArgumentError(
      `Unknown feature gate ${unknown}${meant === undefined ? '' : `, did you mean ${meant}?`} (${KNOWN.join(', ')})`,
    )
  }
  try {
    return parseGates(defaultFeatureGates, text)
  } catch (error) {
    if (error instanceof SettingValueError) throw new InvalidArgumentError(`${error.message}.`)
    throw error
  }
}

/** `--feature-gates`, with the same values as for `kerf run`. */
export const featureGatesOption = (): Option =>
  new Option('--feature-gates <gates>', 'feature gates of the simulated Kerf: Name=true, separated by commas')
    .argParser(gates)
    .default(defaultFeatureGates, 'the defaults of kerf run')
