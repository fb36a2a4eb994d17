import { contains, formatAddress, networkSize, networkStart, parseNetwork, slaacAddress } from '../addresses/address.ts'
import { builtinFunctions } from '../go-template/builtin-functions.ts'
import { type TemplateFunction, TemplateFunctions } from '../go-template/function-table.ts'
import { type GoValue, isZero, NO_VALUE, printed } from '../go-template/go-value.ts'
import { quoted } from '../go-template/sprintf.ts'
import { FunctionProblem } from '../go-template/template-error.ts'
import { encodeJson, encodeYaml } from './encode-value.ts'

const indented = (spaces: number, text: string): string => {
  const pad = ' '.repeat(Math.max(0, spaces))
  return `${pad}${text.replaceAll('\n', `\n${pad}`)}`
}

/** Compiles a Go regular expression. Flags such as `(?i)` are allowed only at the beginning. @throws FunctionProblem */
const pattern = (text: string, flags = 'u'): RegExp => {
  const [, given = ''] = /^\(\?([ims]+)\)/.exec(text) ?? []
  try {
    return new RegExp(given === '' ? text : text.slice(given.length + 3), `${flags}${given}`)
  } catch {
    throw new FunctionProblem(`${JSON.stringify(text)} is not a regular expression that Kerf understands`)
  }
}

/** Converts references in a replacement text. Go writes them as $1, ${1} and ${name}, JavaScript as $1 and $<name>. */
const replacement = (text: string): string =>
  text.replaceAll(/\$(?:\{(\w+)\}|(\w+)|\$)/g, (all, braced?: string, plain?: string) => {
    const name = braced ?? plain
    if (name === undefined) return all
    return /^\d+$/.test(name) ? `$${name}` : `$<${name}>`
  })

const network = (text: string) => {
  const parsed = parseNetwork(text)
  if (parsed === undefined) throw new FunctionProblem(`${JSON.stringify(text)} is not a network such as 10.0.0.0/24`)
  return parsed
}

const decoded = (text: string): string => {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text))
    throw new FunctionProblem('the text is not in base64')
  return Buffer.from(text, 'base64').toString('utf8')
}

const hostIn = (text: string, ...numbers: readonly number[]): string => {
  const parsed = network(text)
  const [number] = numbers
  if (number === undefined) return formatAddress(parsed)
  const from = networkStart(parsed) + (number < 0 ? networkSize(parsed) : 0n)
  const address = { version: parsed.version, value: from + BigInt(number) }
  if (!contains(parsed, address)) throw new FunctionProblem(`${text} has no host ${number}`)
  return formatAddress(address)
}

const slaac = (hardwareAddress: string, text: string): string => {
  const parsed = network(text)
  const address = slaacAddress(parsed, hardwareAddress)
  if (address === undefined) throw new FunctionProblem(`${text} must be an IPv6 network of at most /112`)
  return `${formatAddress(address)}/${parsed.prefix}`
}

const texts: Readonly<Record<string, TemplateFunction>> = {
  indent: { kinds: ['whole', 'text'], run: indented },
  nindent: { kinds: ['whole', 'text'], run: (spaces: number, text: string) => `\n${indented(spaces, text)}` },
  quote: {
    kinds: [],
    more: 'any',
    run: (...values: readonly GoValue[]) =>
      values
        .filter((value) => value !== undefined && value !== NO_VALUE)
        .map((value) => quoted(printed(value)))
        .join(' '),
  },
  upper: { kinds: ['text'], run: (text: string) => text.toUpperCase() },
  lower: { kinds: ['text'], run: (text: string) => text.toLowerCase() },
  trim: { kinds: ['text'], run: (text: string) => text.trim() },
  trimSuffix: {
    kinds: ['text', 'text'],
    run: (suffix: string, text: string) =>
      suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text,
  },
  trimPrefix: {
    kinds: ['text', 'text'],
    run: (prefix: string, text: string) => (text.startsWith(prefix) ? text.slice(prefix.length) : text),
  },
  split: { kinds: ['text', 'text'], run: (text: string, separator: string) => text.split(separator) },
  join: { kinds: ['texts', 'text'], run: (list: readonly string[], separator: string) => list.join(separator) },
  replace: {
    kinds: ['text', 'text', 'text'],
    run: (from: string, to: string, text: string) => text.replaceAll(from, () => to),
  },
  contains: { kinds: ['text', 'text'], run: (part: string, text: string) => text.includes(part) },
  hasPrefix: { kinds: ['text', 'text'], run: (prefix: string, text: string) => text.startsWith(prefix) },
  hasSuffix: { kinds: ['text', 'text'], run: (suffix: string, text: string) => text.endsWith(suffix) },
  regexFind: { kinds: ['text', 'text'], run: (regex: string, text: string) => pattern(regex).exec(text)?.[0] ?? '' },
  regexFindString: {
    kinds: ['text', 'text', 'whole'],
    run: (regex: string, text: string, group: number) => pattern(regex).exec(text)?.[group] ?? '',
  },
  regexReplaceAll: {
    kinds: ['text', 'text', 'text'],
    run: (regex: string, text: string, to: string) => text.replaceAll(pattern(regex, 'gu'), replacement(to)),
  },
  b64enc: { kinds: ['text'], run: (text: string) => Buffer.from(text).toString('base64') },
  b64dec: { kinds: ['text'], run: decoded },
}

const values: Readonly<Record<string, TemplateFunction>> = {
  default: {
    kinds: ['any'],
    more: 'any',
    run: (usual: GoValue, ...given: readonly GoValue[]) => (given.length === 0 || isZero(given[0]) ? usual : given[0]),
  },
  coalesce: {
    kinds: [],
    more: 'any',
    run: (...given: readonly GoValue[]) => given.find((value) => !isZero(value)) ?? NO_VALUE,
  },
  ternary: {
    kinds: ['any', 'any', 'bool'],
    run: (yes: GoValue, no: GoValue, isYes: boolean) => (isYes ? yes : no),
  },
  empty: { kinds: ['any'], run: isZero },
  get: { kinds: ['map', 'text'], run: (map: ReadonlyMap<string, GoValue>, key: string) => map.get(key) ?? '' },
  getValue: {
    kinds: ['text', 'text'],
    run: (text: string, key: string) => {
      const entry = text.split(';').map((each) => each.split('='))
      return entry.find(([name]) => name === key)?.[1] ?? ''
    },
  },
  hasKey: { kinds: ['map', 'text'], run: (map: ReadonlyMap<string, GoValue>, key: string) => map.has(key) },
  hasTag: { kinds: ['texts', 'text'], run: (tags: readonly string[], tag: string) => tag !== '' && tags.includes(tag) },
  toJson: { kinds: ['any'], run: (value: GoValue) => encodeJson(value) },
  toPrettyJson: { kinds: ['any'], run: (value: GoValue) => encodeJson(value, 2) },
  toYaml: { kinds: ['any'], run: (value: GoValue) => encodeYaml(value, 4) },
  toYamlPretty: { kinds: ['any'], run: (value: GoValue) => encodeYaml(value, 2) },
  cidrhost: { kinds: ['text'], more: 'whole', run: hostIn },
  cidrslaac: { kinds: ['text', 'text'], run: slaac },
}

/** The functions of cloud-init templates, with upstream's names and order of arguments (`providers/proxmox/docs/spec/proxmox.md#cloud-init`). */
export const templateFunctions = new TemplateFunctions({ ...builtinFunctions, ...texts, ...values }, ['and', 'or'])
