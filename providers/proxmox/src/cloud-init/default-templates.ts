/** The templates for files that a Secret does not contain (`providers/proxmox/docs/spec/proxmox.md#cloud-init`). */

const USER_DATA = `#cloud-config
hostname: {{ .Metadata.Hostname }}
manage_etc_hosts: true
package_update: true
packages: [qemu-guest-agent]
runcmd:
  - [systemctl, enable, --now, qemu-guest-agent.service]
users:
  - name: karpenter
    groups: [users]
    shell: /bin/bash
    sudo: ALL=(ALL) NOPASSWD:ALL
{{- with get .Values "SSHAuthorizedKeys" }}
    ssh_authorized_keys:
      {{- split . "," | toYaml | nindent 6 }}
{{- end }}
write_files:
{{- with .Resources.Hugepages2Mi }}
  - path: /etc/sysctl.d/99-hugepages.conf
    content: vm.nr_hugepages = {{ . }}
{{- end }}
  - path: /etc/karpenter.yaml
    owner: root:root
    permissions: "0600"
    content: |
      {{- toYamlPretty . | nindent 6 }}
`

const META_DATA = `instance-id: {{ .InstanceID }}
hostname: {{ .Hostname }}
local-hostname: {{ .Hostname }}
instance-type: {{ .InstanceType }}
provider-id: {{ .ProviderID }}
region: {{ .Region }}
zone: {{ .Zone }}
availability-zone: {{ .Zone }}
`

const NETWORK_CONFIG = `network:
  version: 2
  renderer: networkd
  ethernets:
{{- range .Interfaces }}
    {{ .Name }}:
      match: {macaddress: {{ lower .MacAddr | quote }}}
      set-name: {{ .Name }}
      mtu: {{ .MTU }}
      dhcp4: {{ .DHCPv4 }}
      dhcp6: {{ .DHCPv6 }}
{{- if .SLAAC }}
      accept-ra: true
{{- end }}
{{- with .Address4 }}
      addresses:
{{- range . }}
        - {{ quote . }}
{{- end }}
{{- end }}
{{- if and .Address6 (not .Address4) }}
      addresses:
{{- end }}
{{- range .Address6 }}
        - {{ quote . }}
{{- end }}
{{- if or .Gateway4 .Gateway6 }}
      routes:
{{- with .Gateway4 }}
        - {to: 0.0.0.0/0, via: {{ quote . }}}
{{- end }}
{{- with .Gateway6 }}
        - {to: "::/0", via: {{ quote . }}}
{{- end }}
{{- end }}
{{- if or $.NameServers $.SearchDomains }}
      nameservers:
        addresses: {{ toJson $.NameServers }}
        search: {{ toJson $.SearchDomains }}
{{- end }}
{{- end }}
`

export const defaultTemplates = {
  'user-data': USER_DATA,
  'meta-data': META_DATA,
  'network-config': NETWORK_CONFIG,
} as const
