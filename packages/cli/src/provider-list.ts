// Every provider that Kerf can run with, one line each (`docs/providers.md`).
export { alibaba } from '@kerf/provider-alibaba/descriptor'
export { aws } from '@kerf/provider-aws/descriptor'
export { azure } from '@kerf/provider-azure/descriptor'
export { bizfly } from '@kerf/provider-bizfly/descriptor'
export { clusterApi } from '@kerf/provider-cluster-api/descriptor'
export { gcp } from '@kerf/provider-gcp/descriptor'
export { kwok } from '@kerf/provider-kwok/descriptor'
export { proxmox } from '@kerf/provider-proxmox/descriptor'
