import { azureSettings } from './settings/azure-settings.ts'

const lines = Object.entries(azureSettings).map(([key, { env }]) => `  "${env}" $settings.${key}`)

/**
 * The Helm template for the controller's environment variables on Azure. Each setting of the provider has its own name below `settings`.
 */
export const chartEnv = `{{- range $name, $value := dict
${lines.join('\n')} }}
{{- include "karpenter.envEntry" (list $ $name $value) }}
{{- end }}`
