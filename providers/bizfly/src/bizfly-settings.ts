import { type SettingsOf, setting } from '@kerf/runtime'

const { choice, text } = setting

/**
 * The settings of the Bizfly Cloud provider, with upstream's names and defaults (`providers/bizfly/docs/spec/bizfly.md#settings`). Kerf
 * reads secrets only from the environment, so that they appear in no flag and no log.
 */
export const bizflySettings = {
  bizflyCloudAuthMethod: choice({
    env: 'BIZFLY_CLOUD_AUTH_METHOD',
    flag: 'bizfly-cloud-auth-method',
    default: 'password',
    of: ['password', 'application_credential'],
    meaning:
      'How Kerf signs in. `password`: BIZFLY_CLOUD_EMAIL and BIZFLY_CLOUD_PASSWORD. `application_credential`: BIZFLY_CLOUD_APP_CRED_ID and BIZFLY_CLOUD_APP_CRED_SECRET.',
  }),
  bizflyCloudEmail: text({
    env: 'BIZFLY_CLOUD_EMAIL',
    flag: 'bizfly-cloud-email',
    default: '',
    meaning: 'Email address of the account, for the method `password`.',
  }),
  bizflyCloudAppCredID: text({
    env: 'BIZFLY_CLOUD_APP_CRED_ID',
    flag: 'bizfly-cloud-app-cred-id',
    default: '',
    meaning: 'ID of the credential, for the method `application_credential`.',
  }),
  bizflyCloudProjectID: text({
    env: 'BIZFLY_CLOUD_PROJECT_ID',
    flag: 'bizfly-cloud-project-id',
    default: '',
    meaning: 'ID of the project. If empty, the project of the credentials.',
  }),
  bizflyCloudRegion: text({
    env: 'BIZFLY_CLOUD_REGION',
    flag: 'bizfly-cloud-region',
    default: 'HN',
    meaning:
      'Region of the cluster: `HN` (Hanoi), `HCM` (Ho Chi Minh City) or `VC-HaNoi`. Nodes have it as their region label.',
  }),
  bizflyCloudAPIURL: text({
    env: 'BIZFLY_CLOUD_API_URL',
    flag: 'bizfly-cloud-api-url',
    default: 'https://manage.bizflycloud.vn',
    meaning: 'Address where Kerf signs in and reads the addresses of the services.',
  }),
  bkeClusterID: text({
    env: 'BKE_CLUSTER_ID',
    flag: 'bke-cluster-id',
    default: '',
    meaning: 'ID of the cluster of Bizfly Kubernetes Engine. The Bizfly Cloud provider requires it.',
  }),
  bkeJoinEndpoint: text({
    env: 'BKE_JOIN_ENDPOINT',
    flag: 'bke-join-endpoint',
    default: '',
    meaning: 'Address at which new servers join the cluster. The Bizfly Cloud provider requires it.',
  }),
  bkeLogEndpoint: text({
    env: 'BKE_LOG_ENDPOINT',
    flag: 'bke-log-endpoint',
    default: '',
    meaning: 'Address to which new servers report how they join.',
  }),
  bkeKubernetesVersion: text({
    env: 'BKE_KUBERNETES_VERSION',
    flag: 'bke-kubernetes-version',
    default: '',
    meaning: 'Kubernetes version in the metadata of new servers. If empty, the version of the API server.',
  }),
} as const

export type BizflySettings = SettingsOf<typeof bizflySettings>

const lines = Object.entries(bizflySettings).map(([key, { env }]) => `  "${env}" $settings.${key}`)

/** The environment variables of the controller, one per provider setting. Their values come from `settings` in the chart's values. */
export const chartEnv = `{{- range $name, $value := dict
${lines.join('\n')} }}
{{- include "karpenter.envEntry" (list $ $name $value) }}
{{- end }}`
