import { ociSettings } from './settings/oci-settings.ts'

const lines = Object.entries(ociSettings).map(([key, { env }]) => `  "${env}" $settings.${key}`)

/** The environment of the controller: every setting of the provider under its own name below `settings`. */
export const chartEnv = `{{- range $name, $value := dict
${lines.join('\n')} }}
{{- include "karpenter.envEntry" (list $ $name $value) }}
{{- end }}`
