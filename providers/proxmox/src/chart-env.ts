import { proxmoxSettings } from './settings/proxmox-settings.ts'

const lines = Object.entries(proxmoxSettings).map(([key, { env }]) => `  "${env}" $settings.${key}`)

/** The environment of the controller: every setting of the provider under its own name below `settings`. */
export const chartEnv = `{{- range $name, $value := dict
${lines.join('\n')} }}
{{- include "karpenter.envEntry" (list $ $name $value) }}
{{- end }}`
