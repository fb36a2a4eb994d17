import { Option } from 'commander'

/** What to do with unknown and repeated fields. The values are the same as in kubectl. */
export type ValidationMode = 'strict' | 'warn' | 'ignore'

/** Returns the option `--validate`, the same for every command that reads manifests. */
export const validationOption = (): Option =>
  new Option(
    '--validate <mode>',
    'unknown and duplicate fields: strict rejects them, and any object that an API server would reject; warn prints warnings; ignore prints nothing',
  )
    .choices(['strict', 'warn', 'ignore'])
    .default('warn')
