import { capacityTypes, labels, wellKnownLabels, wellKnownResources } from './labels.ts'

/** An alternative name of a label, which some objects use. */
export interface LabelAlias {
  readonly alias: string
  /** The label that the alias stands for. */
  readonly label: string
  /** Values that differ between the alias and the label. All other values are the same for both. */
  readonly values?: readonly { readonly written: string; readonly means: string }[]
}

/** A label with a fixed set of valid values. */
export interface KnownLabelValues {
  readonly label: string
  readonly values: readonly string[]
}

/**
 * The labels and resources that a provider adds to those of the core (`docs/spec/labels.md`). It is plain data, so that it can be
 * part of a provider's descriptor and of a response of `/kerf/v1`.
 */
export interface ProviderVocabulary {
  /** Labels that nodes have even if their NodePool does not set them. */
  readonly wellKnown: readonly string[]
  /** Domains of labels that only the provider sets, except for well-known labels. Subdomains are included. */
  readonly restrictedDomains: readonly string[]
  /** Labels in restricted domains that users may set and require, although these labels are not well-known. */
  readonly unrestricted: readonly string[]
  readonly aliases: readonly LabelAlias[]
  readonly knownValues: readonly KnownLabelValues[]
  /** Resources that the provider's instance types have. NodeOverlays must not set them. */
  readonly wellKnownResources: readonly string[]
}

/**
 * A label whose values are unknown. Kerf does not check requirements on it. As a topology key, it has the same domains as another label.
 */
export interface UntoldLabel {
  readonly label: string
  /** The label that has the same domains. */
  readonly sameDomainsAs: string
}

/** A vocabulary without additions. */
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

/** Returns the part of a key before the slash, or an empty string if there is no slash. */
export const labelDomain = (key: string): string => {
  const slash = key.indexOf('/')
  return slash < 0 ? '' : key.slice(0, slash)
}

/**
 * Classifies labels as well-known, alias or restricted. A vocabulary is built once from the labels of the core and of the providers, and
 * passed to all code that reads labels. There is no default, so that no code can ignore the providers' labels.
 */
export class LabelVocabulary {
  /** The additions of providers to the core labels. */
  readonly added: ProviderVocabulary
  readonly wellKnown: ReadonlySet<string>
  readonly restrictedDomains: readonly string[]
  readonly wellKnownResources: ReadonlySet<string>
  /** Two vocabularies with the same identity are equal. */
  readonly identity: string
  /** The labels whose values are unknown. */
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
    // The aliases of the core come last, so that providers cannot override them.
    for (const { alias, label, values } of [...added.aliases, ...CORE.aliases]) {
      this.#labelOf.set(alias, label)
      if (values !== undefined) this.#valuesOf.set(alias, new Map(values.map(({ written, means }) => [written, means])))
    }
    for (const { label, values } of [...CORE.knownValues, ...added.knownValues]) this.#known.set(label, values)
  }

  /** Returns this vocabulary with additional well-known labels. */
  withWellKnown(more: readonly string[]): LabelVocabulary {
    const isKnown = more.every((key) => this.wellKnown.has(key))
    return isKnown
      ? this
      : new LabelVocabulary({ ...this.added, wellKnown: [...this.added.wellKnown, ...more] }, this.untold)
  }

  /** Returns the key under which labels are compared. For an alias, this is the label that it stands for. */
  normalize(key: string): string {
    return this.#labelOf.get(key) ?? key
  }

  /** Returns the label value that `value` stands for if it is used with `key`. The two differ only for some values of aliases. */
  valueOf(key: string, value: string): string {
    return this.#valuesOf.get(key)?.get(value) ?? value
  }

  /** Returns the label whose values are the domains of a topology key. */
  topologyLabel(key: string): string {
    const label = this.normalize(key)
    return this.#domainsOf.get(label) ?? label
  }

  /** Returns whether the label's values are unknown. */
  isUntold(label: string): boolean {
    return this.#domainsOf.has(label)
  }

  isWellKnown(key: string): boolean {
    return this.wellKnown.has(key)
  }

  /** Returns the only values that a label may have, or `undefined` if it may have any value. */
  knownValues(label: string): readonly string[] | undefined {
    return this.#known.get(label)
  }

  /**
   * Returns whether users must not set or require the label (`docs/spec/labels.md#restricted-keys`). This applies to
   * `kubernetes.io/hostname`, and to labels in restricted domains that are not well-known.
   */
  isRestricted(key: string): boolean {
    if (this.wellKnown.has(key) || this.added.unrestricted.includes(key)) return false
    if (restrictedLabels.has(key)) return true
    const domain = labelDomain(key)
    return this.restrictedDomains.some((restricted) => domain === restricted || domain.endsWith(`.${restricted}`))
  }
}

/** A vocabulary with only the labels of the core, for code that does not depend on a provider, such as the validation of fields. */
export const coreVocabulary = new LabelVocabulary(noVocabulary)
