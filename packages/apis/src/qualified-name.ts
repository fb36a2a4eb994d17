/**
 * This file contains the rules for label keys, label values and domains. Each function returns an error message, or `undefined` if the
 * string is valid.
 */

const NAME = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/

/**
 * Checks the key of a label, annotation or taint: an optional DNS subdomain and a slash, and then a name of at most 63 characters.
 */
export const qualifiedNameProblem = (key: string): string | undefined => {
  const parts = key.split('/')
  if (parts.length > 2) return 'a key has at most one slash'
  const name = parts.at(-1) ?? ''
  const domain = parts.length === 2 ? parts[0] : undefined
  if (domain !== undefined) {
    if (domain === '') return 'the part before the slash may not be empty'
    const problem = subdomainProblem(domain)
    if (problem !== undefined) return `the part before the slash: ${problem}`
  }
  if (name === '') return 'the name may not be empty'
  if (name.length > 63) return 'the name may not be longer than 63 characters'
  if (!NAME.test(name))
    return 'the name must consist of letters, digits, "-", "_" and ".", and start and end with a letter or digit'
  return undefined
}

/** Checks a label value: empty, or a name of at most 63 characters. */
export const labelValueProblem = (value: string): string | undefined => {
  if (value.length > 63) return 'a label value may not be longer than 63 characters'
  if (value !== '' && !NAME.test(value)) {
    return 'a label value must consist of letters, digits, "-", "_" and ".", and start and end with a letter or digit'
  }
  return undefined
}

/** Checks a DNS subdomain, the format of most object names. */
export const subdomainProblem = (text: string): string | undefined => {
  if (text.length > 253) return 'it may not be longer than 253 characters'
  if (!SUBDOMAIN.test(text)) {
    return 'it must consist of lower case letters, digits, "-" and ".", and each part must start and end with a letter or digit'
  }
  return undefined
}

export const isQualifiedName = (key: string): boolean => qualifiedNameProblem(key) === undefined
