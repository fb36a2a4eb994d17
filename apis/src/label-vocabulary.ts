import { capacityTypes, labels, wellKnownLabels, wellKnownResources } from './labels.ts'

/** Another name of a label, which its objects write instead. */
export interface LabelAlias {
  readonly alias: string
  /** The label that it stands for. */
  readonly label: string
  /** Values that are written differently under the other name. All others are the same. */
  readonly values?: readonly { readonly written: string; readonly means: string }[]
}

/** A label with a closed set of values. */
export interface KnownLabelValues {
  readonly label: string
  readonly values: readonly string[]
}

/**
 * What a provider adds to the labels and resources that core knows (`docs/spec/labels.md`). Plain data, so that a descriptor can hold it and an
 * answer of `/kerf/v1` can carry it.
 */
export interface ProviderVocabulary {
  /** Labels that a node will have although no NodePool names them. */
  readonly wellKnown: readonly string[]
  /** Domains whose labels only the provider sets, the well-known ones excepted. Subdomains are included. */
  readonly restrictedDomains: readonly string[]
  /** Labels of those domains that users may require although they are not well-known. */
  readonly unrestricted: readonly string[]
  readonly aliases: readonly LabelAlias[]
  readonly knownValues: readonly KnownLabelValues[]
  /** Resources that its instance types have, so that no NodeOverlay may give them. */
  readonly wellKnownResources: readonly string[]
}

/** A label whose values nobody knows here: a requirement on it is not checked, and its domains are those of another label. */
export interface UntoldLabel {
  readonly label: string
  /** The label with the same domains. */
  readonly sameDomainsAs: string
}

/** Adds nothing. */
export const noVocabulary: ProviderVocabulary = {
  wellKnown: [],
  restrictedDomains: [],
  unrestricted: [],
  aliases: [],
  knownValues: [],
  wellKnownResources: [],
}

const CORE: ProviderVocabulary = {
  wellKnown: [...wellKnownLabels],
  restrictedDomains: ['karpenter.sh'],
  unrestricted: [],
  aliases: [
    { alias: 'failure-domain.beta.kubernetes.io/zone', label: labels.zone },
    { alias: 'failure-domain.beta.kubernetes.io/region', label: labels.region },
    { alias: 'beta.kubernetes.io/arch', label: labels.arch },
    { alias: 'beta.kubernetes.io/os', label: labels.os },
    { alias: 'beta.kubernetes.io/instance-type', label: labels.instanceType },
  ],
  knownValues: [{ label: labels.capacityType, values: Object.values(capacityTypes) }],
  wellKnownResources: [...wellKnownResources],
}

export const restrictedLabels: ReadonlySet<string> = new Set([labels.hostname])

/** The part of a key before the slash; empty without one. */
export const labelDomain = (key: string): string => {
  const slash = key.indexOf('/')
  return slash < 0 ? '' : key.slice(0, slash)
}

/**
 * What labels mean: which are well known, which are other names of them, which nobody may ask for. Made once, of what core knows
 * and what providers add; everything that reads labels is given it. There is no default, so that no reader forgets a provider.
 */
export class LabelVocabulary {
  /** What was added to the labels that core knows. */
  readonly added: ProviderVocabulary
  readonly wellKnown: ReadonlySet<string>
  readonly restrictedDomains: readonly string[]
  readonly wellKnownResources: ReadonlySet<string>
  /** Equal texts mean equal vocabularies. */
  readonly identity: string
  /** Labels whose values nobody knows here. */
  readonly untold: readonly UntoldLabel[]
  readonly #labelOf = new Map<string, string>()
  readonly #valuesOf = new Map<string, ReadonlyMap<string, string>>()
  readonly #domainsOf = new Map<string, string>()
  readonly #known = new Map<string, readonly string[]>()

  constructor(added: ProviderVocabulary, untold: readonly UntoldLabel[] = []) {
    this.added = added
    this.untold = untold
    for (const { label, sameDomainsAs } of untold) this.#domainsOf.set(label, sameDomainsAs)
    this.wellKnown = new Set([...CORE.wellKnown, ...added.wellKnown])
    this.restrictedDomains = [...CORE.restrictedDomains, ...added.restrictedDomains]
    this.wellKnownResources = new Set([...CORE.wellKnownResources, ...added.wellKnownResources])
    this.identity = JSON.stringify([
      [...this.wellKnown].sort(),
      [...new Set(this.restrictedDomains)].sort(),
      added.unrestricted,
      added.aliases,
      added.knownValues,
      [...added.wellKnownResources].sort(),
      untold,
    ])
    // An alias of core cannot be given another meaning.
    for (const { alias, label, values } of [...added.aliases, ...CORE.aliases]) {
      this.#labelOf.set(alias, label)
      if (values !== undefined) this.#valuesOf.set(alias, new Map(values.map(({ written, means }) => [written, means])))
    }
    for (const { label, values } of [...CORE.knownValues, ...added.knownValues]) this.#known.set(label, values)
  }

  /** This vocabulary with other labels well known besides. */
  withWellKnown(more: readonly string[]): LabelVocabulary {
    const isKnown = more.every((key) => this.wellKnown.has(key))
    return isKnown
      ? this
      : new LabelVocabulary({ ...this.added, wellKnown: [...this.added.wellKnown, ...more] }, this.untold)
  }

  /** The name under which a label key is compared: aliases become the label they stand for. */
  normalize(key: string): string {
    return this.#labelOf.get(key) ?? key
  }

  /** The value that is meant where `value` is written under `key`, which may be an alias. */
  valueOf(key: string, value: string): string {
    return this.#valuesOf.get(key)?.get(value) ?? value
  }

  /** The label whose values are the domains of a topology key. */
  topologyLabel(key: string): string {
    const label = this.normalize(key)
    return this.#domainsOf.get(label) ?? label
  }

  /** Whether nobody knows here which values the label has. */
  isUntold(label: string): boolean {
    return this.#domainsOf.has(label)
  }

  isWellKnown(key: string): boolean {
    return this.wellKnown.has(key)
  }

  /** The closed set of values of a label; `undefined` for labels with any value. */
  knownValues(label: string): readonly string[] | undefined {
    return this.#known.get(label)
  }

  /**
   * Whether users may not set or require the label (`docs/spec/labels.md#restricted-keys`): `kubernetes.io/hostname`, and
   * everything in a restricted domain that is not well-known.
   */
  isRestricted(key: string): boolean {
    if (this.wellKnown.has(key) || this.added.unrestricted.includes(key)) return false
    if (restrictedLabels.has(key)) return true
    const domain = labelDomain(key)
    return this.restrictedDomains.some((restricted) => domain === restricted || domain.endsWith(`.${restricted}`))
  }
}

/** Core's labels alone: for what does not depend on a provider, such as the fields of objects. */
export const coreVocabulary = new LabelVocabulary(noVocabulary)
