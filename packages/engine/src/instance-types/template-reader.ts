import type { NodePool, Taint } from '@kerf/apis'
import type { InstanceType } from '../instance-type.ts'
import type { Daemon } from '../model/daemon.ts'
import type { EmptyTemplate, Template } from '../model/template.ts'
import { type LabelRules, labels } from '../requirements/label-rules.ts'
import { type UnmetMinValues, unmetMinValues } from '../requirements/min-values.ts'
import { Requirement } from '../requirements/requirement.ts'
import { Requirements } from '../requirements/requirements.ts'
import type { PoolOption } from '../snapshot.ts'
import { daemonsOfPool } from './daemons.ts'
import { InstanceTypeList } from './instance-type-list.ts'
import type { PrepaidOption } from './prepaid-types.ts'

const SIMULATED = [Requirement.in(labels.registered, ['true']), Requirement.in(labels.initialized, ['true'])]
export const simulatedKeys = [labels.registered, labels.initialized] as const

const nodeClassLabel = (pool: NodePool): Readonly<Record<string, string>> => {
  const { group, kind, name } = pool.spec.template.spec.nodeClassRef ?? {}
  return kind === undefined ? {} : { [`${group}/${kind.toLowerCase()}`]: name ?? '' }
}

/** Returns the labels that every node of the pool has. */
export const templateLabels = (pool: NodePool): Readonly<Record<string, string>> => ({
  ...pool.spec.template.metadata?.labels,
  [labels.nodePool]: pool.metadata.name,
  ...nodeClassLabel(pool),
})

export interface TemplateContext {
  readonly rules: LabelRules
  readonly daemons: readonly Daemon[]
  readonly reservationLabel: string | undefined
  readonly relaxMinValues: boolean
}

interface KnownTemplate {
  readonly pool: NodePool
  readonly text: string
  readonly template: Template | EmptyTemplate
}

/**
 * The result of reading a list of instance types with certain settings: the types, and the last template of each pool, by the pool's name.
 */
interface ReadInstanceTypes {
  readonly settings: string
  readonly rules: LabelRules
  readonly instanceTypes: InstanceTypeList
  readonly templates: Map<string, KnownTemplate>
}

const knownInstanceTypes = new WeakMap<readonly InstanceType[], ReadInstanceTypes>()

/**
 * The maximum number of templates that are cached per list of instance types. A full cache is cleared, because pools are created and
 * deleted all the time.
 */
const MOST_KEPT = 20_000

/**
 * Reads NodePools. A list of instance types does not change after a provider has returned it. Therefore the templates of pools with an
 * unchanged spec, and the options that pools share, are cached per list.
 */
class TemplateReader {
  readonly #context: TemplateContext
  readonly #settings: string

  constructor(context: TemplateContext) {
    this.#context = context
    this.#settings = JSON.stringify([
      context.reservationLabel ?? null,
      context.relaxMinValues,
      context.daemons.map(({ identity }) => identity),
    ])
  }

  /**
   * Returns the template of a pool, or the reason why the pool cannot launch nodes. `index` is the pool's number among the pools that can
   * launch nodes.
   */
  read(pool: NodePool, types: readonly InstanceType[], index: number, commitment?: string): Template | EmptyTemplate {
    const { instanceTypes, templates } = this.#readTypes(types)
    const name = pool.metadata.name
    const known = templates.get(name)
    // The status of a pool changes often but does not matter here. So only the text of the spec is compared.
    const text = known?.pool === pool ? known.text : poolText(pool)
    let template = known?.text === text ? known.template : readTemplate(pool, instanceTypes, index, this.#context)
    if ('index' in template && commitment !== undefined && template.commitment !== commitment)
      template = { ...template, commitment }
    if ('index' in template && template.index !== index) template = { ...template, index }
    if (templates.size >= MOST_KEPT) templates.clear()
    templates.set(name, { pool, text, template })
    return template
  }

  #readTypes(types: readonly InstanceType[]): ReadInstanceTypes {
    const { rules, reservationLabel } = this.#context
    const known = knownInstanceTypes.get(types)
    if (known?.rules === rules && known.settings === this.#settings) return known
    const instanceTypes = new InstanceTypeList(types, rules, reservationLabel)
    const read = { settings: this.#settings, rules, instanceTypes, templates: new Map() }
    knownInstanceTypes.set(types, read)
    return read
  }
}

/** Returns the templates of the pools that can launch nodes, in order, and the pools that can launch none. */
export const readTemplates = (
  pools: readonly (PoolOption | PrepaidOption)[],
  context: TemplateContext,
): { readonly templates: readonly Template[]; readonly emptyTemplates: readonly EmptyTemplate[] } => {
  const reader = new TemplateReader(context)
  const templates: Template[] = []
  const emptyTemplates: EmptyTemplate[] = []
  for (const option of pools) {
    const { nodePool, instanceTypes } = option
    const commitment = 'commitment' in option ? option.commitment : undefined
    const template = reader.read(nodePool, instanceTypes, templates.length, commitment)
    if ('index' in template) templates.push(template)
    // The NodePool also has a template without the commitment. That template explains why the requirements exclude all types.
    else if (commitment === undefined) emptyTemplates.push(template)
  }
  return { templates, emptyTemplates }
}

const poolText = ({ metadata, spec }: NodePool): string => JSON.stringify([metadata.annotations ?? null, spec])

const readTemplate = (
  pool: NodePool,
  instanceTypes: InstanceTypeList,
  index: number,
  context: TemplateContext,
): Template | EmptyTemplate => {
  const { rules } = context
  const name = pool.metadata.name
  const spec = pool.spec.template.spec
  const ownLabels = templateLabels(pool)
  const complaints: string[] = []
  let requirements = rules
    .requirements(spec.requirements ?? [], (complaint) => complaints.push(complaint))
    .merge(rules.ofLabels(ownLabels))
    .merge(Requirements.of(SIMULATED))
  const taints: readonly Taint[] = spec.taints ?? []
  const typeOptions = instanceTypes.typeOptionsOf(requirements, daemonsOfPool(context.daemons, taints))
  const empty = (problem: EmptyTemplate['problem'], detail: string): EmptyTemplate => ({
    pool,
    name,
    problem,
    detail,
    requirements,
    typeOptions,
    taints,
  })
  if (complaints.length > 0) return empty('invalid', complaints.join('; '))
  if (instanceTypes.isEmpty) return empty('catalogue-empty', '')
  const { types, offerings, daemonGroups } = typeOptions
  if (types.length === 0) return empty('filtered-out', '')
  const unmet = requirements.hasMinValues
    ? unmetMinValues(
        requirements,
        types.map((entry) => entry.requirements),
      )
    : NONE_UNMET
  if (unmet.size > 0) {
    if (!context.relaxMinValues)
      return empty('min-values', [...unmet].map(([key, count]) => `${key}: ${count}`).join(', '))
    for (const [key, count] of unmet) requirements = requirements.replace(requirements.get(key).withMinValues(count))
  }
  return {
    index,
    pool,
    name,
    labels: ownLabels,
    annotations: pool.spec.template.metadata?.annotations ?? {},
    taints,
    requirements,
    typeOptions,
    types,
    offerings,
    daemonGroups,
    minValuesRelaxed: unmet.size > 0,
  }
}

const NONE_UNMET: UnmetMinValues = new Map()
