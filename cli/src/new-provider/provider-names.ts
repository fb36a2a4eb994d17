import { UsageError } from '../cli-error.ts'

/** Folders below providers/ that are no provider's, and names that texts could not tell from others. */
const TAKEN = ['contract', 'kit', 'skeleton', 'simulated', 'provider', 'instance']

/**
 * The name of a provider as the command line takes it.
 *
 * @throws UsageError for one that cannot be a flag value, a folder and a part of identifiers
 */
export const checkedName = (name: string): string => {
  if (!/^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/.test(name) || name.length > 30)
    throw new UsageError(
      `${JSON.stringify(name)} cannot be the name of a provider: take at most 30 lower-case letters and digits, with hyphens between words, such as acme-cloud`,
    )
  if (TAKEN.includes(name)) throw new UsageError(`${name} is taken: choose another name for the provider`)
  return name
}

/** The text with the provider's name in place of "skeleton", as each place writes it: `AcmeCloud`, `acmeCloud`, `acme-cloud`. */
export const renamed = (text: string, name: string): string => {
  const pascal = name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const camel = `${pascal.charAt(0).toLowerCase()}${pascal.slice(1)}`
  return text
    .replaceAll('skeletonnodeclass', `${name.replaceAll('-', '')}nodeclass`)
    .replaceAll(/skeleton(?=[A-Z])/g, camel)
    .replaceAll('Skeleton', pascal)
    .replaceAll('skeleton', name)
}
