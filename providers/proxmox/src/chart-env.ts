import { proxmoxSettings } from './settings/proxmox-settings.ts'

const lines = Object.entries(proxmoxSettings).map(([key, { env }]) => `  "${env}" $settings.${key}`)

/** The environment variables of the controller, one per provider setting. Their values come from `settings` in the chart's values. */
export const chartEnv = `{{- range $name, $value := dict
${lines.join('\n')} }}
{{- include "karpenter.envEntry" (list $ $name $value) }}
{{- end }}`
