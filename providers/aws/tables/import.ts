import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { emulatorResources, tablesOfEmulator } from './import-emulator.ts'
import { tablesOfUpstream } from './import-upstream.ts'

/**
 * Returns published tables by name, for `npm run tables -- aws [DIRECTORY]`.
 * @param directory either `moto/ec2/resources` of an installed moto, or a folder with zz_generated.bandwidth.go,
 * zz_generated.vpclimits.go and zz_generated.pricing_aws*.go. Default: the moto of the tests
 */
export const importTables = (directory = emulatorResources()): Readonly<Record<string, string>> =>
  existsSync(join(directory, 'instance_types.json.gz')) ? tablesOfEmulator(directory) : tablesOfUpstream(directory)
