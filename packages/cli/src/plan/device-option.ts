import { InvalidArgumentError, Option } from 'commander'

const trueOrFalse = (text: string): boolean => {
  if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('Must be true or false.')
  return text === 'true'
}

/** The `--ignore-dra-requests` flag, with the same meaning as for `kerf run`. */
export const ignoreDraRequestsOption = (): Option =>
  new Option(
    '--ignore-dra-requests <bool>',
    'ignore pods that claim devices; with false, Kerf allocates devices for them',
  )
    .argParser(trueOrFalse)
    .default(true)
