import { type ClusterAccess, callCluster } from './access.ts'
import { untilTrue } from './progress.ts'

/** The fields of a CustomResourceDefinition that this module reads. */
export interface Definition {
  readonly metadata: {
    readonly name: string
    readonly uid?: string
    readonly generation?: number
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
    readonly finalizers?: readonly string[]
  }
  readonly spec: {
    readonly group: string
    readonly names: { readonly plural: string }
    readonly versions: readonly { readonly name: string; readonly served?: boolean }[]
  }
}

const PATH = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const LOOK_AGAIN_AFTER = 50

/** Returns a text that changes whenever the definition is changed or replaced. Ignores managed fields. */
const fingerprint = ({ metadata }: Definition): string => {
  const { uid, generation, labels, annotations, finalizers } = metadata
  return JSON.stringify([uid, generation, labels, annotations, finalizers])
}

const createAll = async (access: ClusterAccess, definitions: readonly Definition[]): Promise<void> => {
  for (const definition of definitions) {
    const { status, body } = await callCluster(access, 'POST', PATH, definition)
    if (status !== 201) throw new Error(`${definition.metadata.name} cannot be created: ${JSON.stringify(body)}`)
  }
}

/** Waits until the API server serves the kind of a stored definition. */
const untilServed = async (access: ClusterAccess, { spec }: Definition): Promise<void> => {
  const version = spec.versions.find(({ served }) => served !== false)?.name ?? ''
  const path = `/apis/${spec.group}/${version}/${spec.names.plural}`
  let answer = ''
  const isServed = async (): Promise<boolean> => {
    const { status, body } = await callCluster(access, 'GET', `${path}?limit=1`)
    answer = `${status} ${JSON.stringify(body)}`
    return status === 200
  }
  await untilTrue(isServed, {
    what: `the API server to serve ${path}`,
    fingerprint: () => answer,
    everyMs: LOOK_AGAIN_AFTER,
  })
}

/** The custom resource definitions that a control plane keeps for the next test file, unless someone changes them. */
export class KeptDefinitions {
  #kept: ReadonlyMap<string, string> = new Map()

  get areThere(): boolean {
    return this.#kept.size > 0
  }

  /** Creates the definitions. Resolves when the API server serves their kinds. */
  async install(access: ClusterAccess, definitions: readonly Definition[]): Promise<void> {
    await createAll(access, definitions)
    for (const definition of definitions) await untilServed(access, definition)
    this.#kept = await this.#read(access, new Set(definitions.map(({ metadata }) => metadata.name)))
  }

  /** Returns the names of the definitions to keep: all installed ones, or none if any of them has changed. */
  async unchanged(access: ClusterAccess): Promise<ReadonlySet<string>> {
    const now = await this.#read(access, new Set(this.#kept.keys()))
    if ([...this.#kept].some(([name, print]) => now.get(name) !== print)) this.#kept = new Map()
    return new Set(this.#kept.keys())
  }

  /** Stops keeping the definitions, so that the next cleanup deletes them. */
  forget(): void {
    this.#kept = new Map()
  }

  async #read(access: ClusterAccess, names: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
    if (names.size === 0) return new Map()
    const { body } = await callCluster(access, 'GET', PATH)
    const { items = [] } = body as { readonly items?: readonly Definition[] }
    return new Map(
      items.filter(({ metadata }) => names.has(metadata.name)).map((each) => [each.metadata.name, fingerprint(each)]),
    )
  }
}
