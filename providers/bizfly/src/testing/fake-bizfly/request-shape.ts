/**
 * The shapes of request bodies: the structs of the vendor's Go client (gobizfly baadfd8, files cloud_server_server.go, token.go and
 * kubernetes_engine.go) by JSON name. A `?` after a type means that the client omits the field if it has no value.
 */
type Shape =
  | 'string'
  | 'string?'
  | 'number'
  | 'number?'
  | 'boolean'
  | 'boolean?'
  | Fields
  | { readonly list: Shape; readonly isOptional: boolean }
  | 'texts?'
interface Fields {
  readonly [field: string]: Shape
}

const disk = { size: 'number', type: 'string?', volume_type: 'string?' } as const

const serverRequest: Fields = {
  name: 'string',
  flavor: 'string',
  sshkey: 'string?',
  password: 'boolean',
  rootdisk: disk,
  datadisks: { list: disk, isOptional: true },
  type: 'string',
  availability_zone: 'string',
  os: { id: 'string', type: 'string' },
  quantity: 'number?',
  network_interfaces: { list: 'string', isOptional: true },
  firewalls: { list: 'string', isOptional: true },
  network_plan: 'string?',
  vpc_network_ids: { list: 'string', isOptional: true },
  billing_plan: 'string?',
  ipv6: 'boolean?',
  is_created_wan: 'boolean?',
  user_data: 'string?',
  metadata: 'texts?',
}

/** The body shapes, by call. */
export const bodyShapes = {
  token: {
    auth_method: 'string',
    username: 'string?',
    password: 'string?',
    credential_id: 'string?',
    credential_secret: 'string?',
    project_id: 'string?',
    auth_type: 'string?',
    token: 'string?',
  },
  launchServer: { list: serverRequest, isOptional: false },
  deleteServer: { delete_volume: { list: 'string', isOptional: false } },
  leaveCluster: { node_name: 'string' },
} as const satisfies Readonly<Record<string, Shape>>

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const problemsAt = (shape: Shape, value: unknown, path: string): readonly string[] => {
  if (shape === 'texts?')
    return isObject(value) && Object.values(value).every((each) => typeof each === 'string')
      ? []
      : [`${path} is not a map of texts`]
  if (typeof shape === 'string') return typeof value === shape.replace('?', '') ? [] : [`${path} is not a ${shape}`]
  if ('list' in shape && typeof shape.list !== 'undefined' && 'isOptional' in shape) {
    const { list } = shape as { readonly list: Shape }
    return Array.isArray(value)
      ? value.flatMap((item, index) => problemsAt(list, item, `${path}[${index}]`))
      : [`${path} is not a list`]
  }
  return isObject(value) ? fieldProblems(shape as Fields, value, path) : [`${path} is not an object`]
}

const isOptional = (shape: Shape): boolean =>
  typeof shape === 'string' ? shape.endsWith('?') : 'isOptional' in shape && shape.isOptional === true

const fieldProblems = (fields: Fields, value: Readonly<Record<string, unknown>>, path: string): readonly string[] => [
  ...Object.entries(value).flatMap(([field, each]) => {
    const shape = Object.hasOwn(fields, field) ? fields[field] : undefined
    return shape === undefined ? [`${path}.${field} does not exist`] : problemsAt(shape, each, `${path}.${field}`)
  }),
  ...Object.entries(fields).flatMap(([field, shape]) =>
    isOptional(shape) || Object.hasOwn(value, field) ? [] : [`${path}.${field} is missing`],
  ),
]

/**
 * Returns the differences between a body and the structs of the vendor's client: unknown fields, missing fields, and values of other types.
 */
export const bodyProblems = (call: keyof typeof bodyShapes, body: unknown): readonly string[] =>
  problemsAt(bodyShapes[call], body, call)
