import { ownValue } from '@kerf/apis'
import { parse } from 'yaml'

/** A Proxmox cluster from the configuration. Its name is the region of its nodes. */
export interface ProxmoxCluster {
  readonly region: string
  /** The URL of the API, for example `https://pve-1.example.com:8006/api2/json`. */
  readonly url: string
  /** Whether Kerf skips the verification of the server's certificate. */
  readonly isInsecure: boolean
  /** A PEM file with the certificate authorities of the cluster. */
  readonly caFile?: string
  /** The credentials. Each secret is given as text, or as the path of a file that contains it. */
  readonly login:
    | { readonly kind: 'token'; readonly id: Secret; readonly secret: Secret }
    | { readonly kind: 'password'; readonly username: string; readonly password: string }
}

/** A secret, or the path of a file that contains it. */
export type Secret = { readonly text: string } | { readonly file: string }

/** The clusters, or the problems with one sentence each. */
export type CloudConfig =
  | { readonly clusters: readonly ProxmoxCluster[] }
  | { readonly problems: readonly [string, ...string[]] }

const KEYS = [
  ...['url', 'insecure', 'region', 'ca_file', 'username', 'password'],
  ...['token_id', 'token_secret', 'token_id_file', 'token_secret_file'],
]

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const textIn = (fields: Fields, key: string): string => {
  const value = ownValue(fields, key)
  return typeof value === 'string' ? value.trim() : ''
}

const secretIn = (fields: Fields, key: string): Secret | undefined => {
  const [text, file] = [textIn(fields, key), textIn(fields, `${key}_file`)]
  if (text !== '') return { text }
  return file === '' ? undefined : { file }
}

const loginIn = (fields: Fields): ProxmoxCluster['login'] | string => {
  const [id, secret] = [secretIn(fields, 'token_id'), secretIn(fields, 'token_secret')]
  const [username, password] = [textIn(fields, 'username'), textIn(fields, 'password')]
  if ((id ?? secret) !== undefined && (username !== '' || password !== ''))
    return 'has a token and a user; keep one of them'
  if (id !== undefined && secret !== undefined) return { kind: 'token', id, secret }
  if (username !== '' && password !== '') return { kind: 'password', username, password }
  return 'needs token_id and token_secret, or username and password'
}

const clusterIn = (value: unknown, index: number): ProxmoxCluster | string => {
  const title = `clusters[${index}]`
  if (!isFields(value)) return `${title} must be a map with url, region and a token`
  const unknown = Object.keys(value).filter((key) => !KEYS.includes(key))
  if (unknown.length > 0) return `${title} has the unknown keys ${unknown.join(', ')}`
  const [region, url, caFile] = [textIn(value, 'region'), textIn(value, 'url'), textIn(value, 'ca_file')]
  if (region === '') return `${title} has no region; give the Proxmox cluster a name`
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    return `${title}.url must be a URL such as https://pve-1.example.com:8006/api2/json`
  const login = loginIn(value)
  if (typeof login === 'string') return `${title} ${login}`
  const isInsecure = value['insecure'] === true
  return { region, url, login, isInsecure, ...(caFile === '' ? {} : { caFile }) }
}

const parsed = (text: string): unknown => {
  try {
    return parse(text)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/**
 * Parses the content of the file CLOUD_CONFIG (`providers/proxmox/docs/spec/proxmox.md#settings-and-credentials`). Reports unknown keys and
 * two clusters with the same region as problems, whereas upstream ignores them.
 */
export const readCloudConfig = (text: string): CloudConfig => {
  const document = parsed(text)
  if (document instanceof Error) return { problems: [`is not YAML: ${document.message}`] }
  const entries: unknown = isFields(document) ? document['clusters'] : undefined
  if (!Array.isArray(entries) || entries.length === 0) return { problems: ['has no clusters'] }
  const read = entries.map(clusterIn)
  const clusters = read.filter((each) => typeof each !== 'string')
  const regions = clusters.map(({ region }) => region)
  const twice = [...new Set(regions.filter((region, index) => regions.indexOf(region) !== index))]
  const [first, ...others] = [
    ...read.filter((each) => typeof each === 'string'),
    ...twice.map((region) => `two clusters have the region ${region}; give each its own`),
  ]
  return first === undefined ? { clusters } : { problems: [first, ...others] }
}
