export { convertSettings, type OldSettings, settingsMaps } from './convert-settings.ts'
export { convertedFields } from './converted-fields.ts'
export { type ConversionResult, type FieldReport, FieldReporter, type Json, recordOrEmpty } from './field-reporter.ts'
export { KUBELET_ANNOTATION } from './kubelet-annotation.ts'
export { legacyCrdManifests, legacyKinds, legacyResources } from './legacy-kinds.ts'
export type { DefaultRequirements, LegacyTemplates, TemplateInput, TemplateSettings } from './legacy-templates.ts'
export {
  type Migration,
  type MigrationOptions,
  type MigrationProblem,
  migrateManifests,
} from './migrate.ts'
export type { Provisioner } from './provisioner.ts'
