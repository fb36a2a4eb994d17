import type { ConditionMeanings, ConditionSet } from '../conditions.ts'
import type { CustomResource } from '../schema/custom-resource.ts'
import type { FieldReporter, Json } from './field-reporter.ts'

/** An old description of machines: the spec of a template or of an older class, or a Provisioner's `provider`. */
export interface TemplateInput {
  readonly spec: Json
  /** `spec` or `spec.provider`, for the report. */
  readonly path: string
  /** Reports each field of the spec. */
  readonly reporter: FieldReporter
  /** The node class that it becomes: `EC2NodeClass/default`. */
  readonly target: string
  /** Values of the old settings for fields of the node class that the spec does not set. */
  readonly classDefaults: Readonly<Record<string, string>>
  /** The version of the cluster, for example 1.33, if known. */
  readonly kubernetesVersion?: string
}

/** Requirements that v1alpha5 added to a Provisioner by default and v1 does not. */
export interface DefaultRequirements {
  /** The labels of which a requirement replaces the default. */
  readonly unless: readonly string[]
  readonly add: readonly Json[]
}

/** The old settings of a provider, in ConfigMaps of older charts and guides. */
export interface TemplateSettings {
  /** Prefix of the keys. The oldest guides used it as a key whose value is a YAML text of settings. */
  readonly prefix: string
  /** Environment variables by key. */
  readonly variables: Readonly<Record<string, string>>
  /** By key: the field of the node class that the value is the default of, and for which classes. */
  readonly classDefaults: Readonly<Record<string, { readonly field: string; readonly note: string }>>
  /** Keys without a counterpart, each with what to do instead. */
  readonly gone: Readonly<Record<string, string>>
}

/** How a provider converts its kinds of Karpenter's old API. The provider descriptor has it as `legacy`. */
export interface LegacyTemplates {
  /** The kind that Provisioners refer to. */
  readonly resource: CustomResource
  readonly conditions: ConditionSet
  /** The meaning of each condition of the set, for the reference page. */
  readonly conditionMeanings: ConditionMeanings
  /** The current kind of node class. */
  readonly nodeClass: CustomResource
  /** The older versions of the node class that are converted, for example `v1beta1`. */
  readonly olderVersions: readonly string[]
  /** Where the fields of a template apply, for reports about clusters of other providers. */
  readonly applies: string
  /** Returns the spec of the node class. */
  convertSpec(input: TemplateInput): Json
  /** Returns what a node class lacks although its schema may accept it, with the remedy. */
  problemOf(spec: Json): string | undefined
  /** Matches the messages of rules of the schema that `problemOf` explains better. */
  readonly explainedRules: RegExp
  readonly defaultRequirements: readonly DefaultRequirements[]
  /** Annotations that old controllers maintained. */
  readonly ownAnnotations: readonly string[]
  /** Labels of the old API that v1 has no counterpart for. */
  readonly goneLabels: readonly string[]
  readonly settings: TemplateSettings
}
