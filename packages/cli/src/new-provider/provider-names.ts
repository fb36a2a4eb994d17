import { UsageError } from '@kerf/provider-kit/command-line'

/** Folders in providers/ that contain no provider, and names that would be ambiguous in the copied texts. */
const TAKEN = ['contract', 'kit', 'simulated', 'provider', 'instance']

/**
 * Returns the name of a provider if it is valid.
 * @throws UsageError for a name that cannot be used as a flag value, a folder name and part of an identifier
 */
export const checkedName = (name: string): string => {
  if (!/^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/.test(name) || name.length > 30)
    throw new UsageError(
      `${JSON.stringify(name)} cannot be the name of a provider: use at most 30 lower-case letters and digits, with hyphens between words, such as acme-cloud`,
    )
  if (TAKEN.includes(name)) throw new UsageError(`${name} already exists: choose another name for the provider`)
  return name
}

/**
 * Returns the text with "example" replaced by the provider's name, in the same case: `AcmeCloud`, `acmeCloud`, `acme-cloud`, `ACME_CLOUD`.
 * Does not change the node class field `example` or reserved hosts such as `example.com`.
 */
export const renamed = (text: string, name: string): string => {
  const pascal = name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const camel = `${pascal.charAt(0).toLowerCase()}${pascal.slice(1)}`
  return text
    .replaceAll('examplenodeclass', `${name.replaceAll('-', '')}nodeclass`)
    .replaceAll('EXAMPLE_', `${name.replaceAll('-', '_').toUpperCase()}_`)
    .replaceAll(/example(?=[A-Z])/g, camel)
    .replaceAll('Example', pascal)
    .replaceAll(/(?<![.\w])example(?!\w|: |\.(?:com|invalid)\b)/g, name)
}
