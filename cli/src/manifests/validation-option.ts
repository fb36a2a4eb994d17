import { Option } from 'commander'

/** What becomes of fields that a kind does not have, and of fields that are there twice; as in kubectl. */
export type ValidationMode = 'strict' | 'warn' | 'ignore'

/** `--validate`, the same for every verb that reads manifests. */
export const validationOption = (): Option =>
  new Option(
    '--validate <mode>',
    'unknown and repeated fields: strict refuses them, and any object that an API server would refuse; warn names them; ignore is silent',
  )
    .choices(['strict', 'warn', 'ignore'])
    .default('warn')
