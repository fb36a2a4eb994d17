import type { ConditionMeanings, ConditionSet } from '../conditions.ts'
import type { CustomResource } from '../schema/custom-resource.ts'
import type { FieldReporter, Json } from './field-reporter.ts'

/** How an old object describes machines: the spec of a template or of an older node class, or a Provisioner's `provider`. */
export interface TemplateInput {
  readonly spec: Json
  /** The path of the description in the object, for the report: `spec` or `spec.provider`. */
  readonly path: string
  /** Records how each field of the spec is converted. */
  readonly reporter: FieldReporter
  /** The node class to create, for example `EC2NodeClass/default`. */
  readonly target: string
  /** Values from the old settings, for fields of the node class that the spec does not set. */
  readonly classDefaults: Readonly<Record<string, string>>
  /** The version of the cluster, for example 1.33, if it is known. */
  readonly kubernetesVersion?: string
}

/** Requirements that v1alpha5 added to a Provisioner by default, and that v1 does not add. */
export interface DefaultRequirements {
  /** Labels. If the Provisioner has a requirement on one of them, the default is not added. */
  readonly unless: readonly string[]
  readonly add: readonly Json[]
}

/** The old settings of a provider, which were in ConfigMaps of older charts and guides. */
export interface TemplateSettings {
  /** The prefix of the keys. The oldest guides used it as a key, with all settings as YAML text in its value. */
  readonly prefix: string
  /** The environment variable for each key. */
  readonly variables: Readonly<Record<string, string>>
  /**
   * For each key whose value is a default for node classes: the field of the node class, and a note about which classes it applies
   * to.
   */
  readonly classDefaults: Readonly<Record<string, { readonly field: string; readonly note: string }>>
  /** Keys without a replacement, each with advice on what to do instead. */
  readonly gone: Readonly<Record<string, string>>
}

/**
 * How a provider converts its own kinds from Karpenter's older API versions. It is the field `legacy` of the provider's
 * descriptor.
 */
export interface LegacyTemplates {
  /** The kind of template that Provisioners refer to. */
  readonly resource: CustomResource
  readonly conditions: ConditionSet
  /** The meaning of each condition in the set, for the reference page. */
  readonly conditionMeanings: ConditionMeanings
  /** The kind of node class in the current API. */
  readonly nodeClass: CustomResource
  /** The older versions of the node class that can be converted, for example `v1beta1`. */
  readonly olderVersions: readonly string[]
  /**
   * The nodes on which the fields of a template have an effect, as the end of a sentence. Used in reports if the node class belongs to
   * another provider.
   */
  readonly applies: string
  /** Returns the spec for the node class. */
  convertSpec(input: TemplateInput): Json
  /** Returns a message about what is missing in a node class and how to fix it, even if the schema accepts the node class. */
  problemOf(spec: Json): string | undefined
  /** Matches the messages of those schema rules that `problemOf` explains better. */
  readonly explainedRules: RegExp
  readonly defaultRequirements: readonly DefaultRequirements[]
  /** Annotations that the old controllers maintained. */
  readonly ownAnnotations: readonly string[]
  /** Labels of the old API that have no replacement in v1. */
  readonly goneLabels: readonly string[]
  readonly settings: TemplateSettings
}
