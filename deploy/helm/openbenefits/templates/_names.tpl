{{- define "openbenefits.labels" -}}
app.kubernetes.io/name: openbenefits
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
{{- define "openbenefits.settings" -}}
- { name: DATABASE_URL_FILE, value: /run/secrets/openbenefits/database_url }
- { name: ENCRYPTION_KEYS_FILE, value: /run/secrets/openbenefits/encryption_keys }
- { name: HASH_KEY_FILE, value: /run/secrets/openbenefits/hash_key }
- { name: TOKEN_KEY_FILE, value: /run/secrets/openbenefits/token_key }
- { name: OPERATOR_KEY_FILE, value: /run/secrets/openbenefits/operator_key }
- { name: PUBLIC_URL, value: {{ .Values.publicUrl | quote }} }
- { name: METRICS_PORT, value: "9464" }
{{- range $name, $value := .Values.settings }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}
{{- define "openbenefits.security" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
readOnlyRootFilesystem: true
allowPrivilegeEscalation: false
capabilities: { drop: [ALL] }
seccompProfile: { type: RuntimeDefault }
{{- end }}
{{- define "openbenefits.volumes" -}}
- name: secrets
  secret: { secretName: {{ .Values.secretName | quote }}, defaultMode: 0440 }
- name: tmp
  emptyDir: {}
- name: data
  emptyDir: {}
{{- end }}
{{- define "openbenefits.mounts" -}}
- { name: secrets, mountPath: /run/secrets/openbenefits, readOnly: true }
- { name: tmp, mountPath: /tmp }
- { name: data, mountPath: /data }
{{- end }}
