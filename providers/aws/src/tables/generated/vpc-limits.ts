// Made by tools/aws-tables.ts from data of amazon-vpc-resource-controller-k8s: branch interfaces, then IPv4 addresses of an interface (Apache-2.0). One line a family.

export const VPC_LIMITS = `
a1 2xlarge=38/15 4xlarge=54/30 large=9/10 medium=10/4 metal=54/30 xlarge=18/15
c1 medium=0/6 xlarge=0/15
c3 2xlarge=0/15 4xlarge=0/30 8xlarge=0/30 large=0/10 xlarge=0/15
c4 2xlarge=0/15 4xlarge=0/30 8xlarge=0/30 large=0/10 xlarge=0/15
c5 12xlarge=54/30 18xlarge=107/50 24xlarge=107/50 2xlarge=38/15 4xlarge=54/30 9xlarge=54/30 large=9/10 metal=107/50 xlarge=18/15
c5a 12xlarge=54/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 large=9/10 xlarge=18/15
c5ad 12xlarge=54/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 large=9/10 xlarge=18/15
c5d 12xlarge=54/30 18xlarge=107/50 24xlarge=107/50 2xlarge=38/15 4xlarge=54/30 9xlarge=54/30 large=9/10 metal=107/50 xlarge=18/15
c5n 18xlarge=107/50 2xlarge=38/15 4xlarge=54/30 9xlarge=54/30 large=9/10 metal=107/50 xlarge=18/15
c6a 12xlarge=114/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 32xlarge=107/50 48xlarge=107/50 4xlarge=54/30 8xlarge=84/30 large=9/10 metal=107/50 xlarge=18/15
c6g 12xlarge=54/30 16xlarge=107/50 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 large=9/10 medium=4/4 metal=107/50 xlarge=18/15
c6gd 12xlarge=54/30 16xlarge=107/50 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 large=9/10 medium=4/4 metal=107/50 xlarge=18/15
c6gn 12xlarge=54/30 16xlarge=107/50 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 large=9/10 medium=4/4 xlarge=18/15
c6i 12xlarge=114/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 32xlarge=107/50 4xlarge=54/30 8xlarge=84/30 large=9/10 metal=107/50 xlarge=18/15
c6id 12xlarge=114/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 32xlarge=107/50 4xlarge=54/30 8xlarge=84/30 large=9/10 metal=107/50 xlarge=18/15
c6in 12xlarge=114/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 32xlarge=106/50 4xlarge=54/30 8xlarge=84/30 large=9/10 metal=106/50 xlarge=18/15
c7a 12xlarge=114/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 32xlarge=107/50 48xlarge=107/50 4xlarge=54/30 8xlarge=84/30 large=9/10 medium=4/4 metal-48xl=107/50 xlarge=18/15
c7g-flex 2xlarge=18/15 4xlarge=34/30 8xlarge=54/30 large=3/10 medium=1/4 xlarge=8/15
c7g 12xlarge=54/30 16xlarge=107/50 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 large=9/10 medium=4/4 metal=107/50 xlarge=18/15
c7gd 12xlarge=54/30 16xlarge=107/50 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 large=9/10 medium=4/4 metal=107/50 xlarge=18/15
c7gn 12xlarge=54/30 16xlarge=107/50 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 large=9/10 medium=4/4 metal=107/50 xlarge=18/15
c7i-flex 12xlarge=114/30 16xlarge=107/50 2xlarge=18/15 4xlarge=34/30 8xlarge=54/30 large=3/10 xlarge=8/15
c7i 12xlarge=114/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 32xlarge=107/50 48xlarge=107/50 4xlarge=54/30 8xlarge=84/30 large=9/10 metal-24xl=107/50 metal-48xl=107/50 xlarge=18/15
c8a 12xlarge=110/64 16xlarge=106/64 24xlarge=106/64 2xlarge=38/40 48xlarge=98/64 4xlarge=54/40 8xlarge=82/40 large=9/20 medium=4/4 metal-24xl=106/64 metal-48xl=98/64 xlarge=18/20
c8g-flex 12xlarge=54/30 16xlarge=47/50 2xlarge=18/15 4xlarge=34/30 8xlarge=54/30 large=3/10 medium=1/4 xlarge=8/15
c8g 12xlarge=54/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 48xlarge=107/50 4xlarge=54/30 8xlarge=54/30 large=9/10 medium=4/4 metal-24xl=107/50 metal-48xl=107/50 xlarge=18/15
c8gb 12xlarge=50/30 16xlarge=106/50 24xlarge=98/50 2xlarge=38/15 48xlarge=98/50 4xlarge=54/30 8xlarge=52/30 large=9/10 medium=4/4 metal-24xl=98/50 metal-48xl=98/50 xlarge=18/15
c8gd 12xlarge=54/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 48xlarge=107/50 4xlarge=54/30 8xlarge=54/30 large=9/10 medium=4/4 metal-24xl=107/50 metal-48xl=107/50 xlarge=18/15
c8gn 12xlarge=50/30 16xlarge=106/50 24xlarge=98/50 2xlarge=38/15 48xlarge=98/50 4xlarge=54/30 8xlarge=52/30 large=9/10 medium=4/4 metal-24xl=98/50 metal-48xl=98/50 xlarge=18/15
c8i-flex 12xlarge=110/50 16xlarge=106/64 2xlarge=18/30 4xlarge=34/50 8xlarge=52/50 large=3/20 xlarge=8/30
c8i 12xlarge=110/50 16xlarge=106/64 24xlarge=106/64 2xlarge=38/30 32xlarge=98/64 48xlarge=98/64 4xlarge=54/50 8xlarge=82/50 96xlarge=98/64 large=9/20 metal-48xl=98/64 metal-96xl=98/64 xlarge=18/30
c8ib 12xlarge=110/50 16xlarge=106/64 24xlarge=106/64 2xlarge=38/30 32xlarge=106/64 48xlarge=98/64 4xlarge=54/50 8xlarge=84/50 96xlarge=98/64 large=8/20 metal-48xl=98/64 metal-96xl=98/64 xlarge=18/30
c8id 12xlarge=110/50 16xlarge=106/64 24xlarge=106/64 2xlarge=38/30 32xlarge=98/64 48xlarge=98/64 4xlarge=54/50 8xlarge=82/50 96xlarge=98/64 large=9/20 metal-48xl=98/64 metal-96xl=98/64 xlarge=18/30
c8in 12xlarge=110/50 16xlarge=106/64 24xlarge=106/64 2xlarge=38/30 32xlarge=106/64 48xlarge=98/64 4xlarge=54/50 8xlarge=84/50 96xlarge=98/64 large=8/20 metal-48xl=98/64 metal-96xl=98/64 xlarge=18/30
c8ine 12xlarge=110/50 2xlarge=38/30 4xlarge=54/50 8xlarge=84/50 large=8/20 xlarge=18/30
c9g 12xlarge=50/50 16xlarge=106/64 24xlarge=98/64 2xlarge=38/30 48xlarge=98/64 4xlarge=54/50 8xlarge=52/50 large=9/20 medium=4/20 metal-48xl=98/64 xlarge=18/30
c9gd 12xlarge=50/50 16xlarge=106/64 24xlarge=98/64 2xlarge=38/30 48xlarge=98/64 4xlarge=54/50 8xlarge=52/50 large=9/20 medium=4/20 metal-48xl=98/64 xlarge=18/30
d2 2xlarge=0/15 4xlarge=0/30 8xlarge=0/30 xlarge=0/15
d3 2xlarge=92/5 4xlarge=118/10 8xlarge=119/20 xlarge=42/3
d3en 12xlarge=119/30 2xlarge=58/5 4xlarge=118/10 6xlarge=118/15 8xlarge=118/20 xlarge=24/3
dl1 24xlarge=62/50
dl2q 24xlarge=107/50
f1 16xlarge=0/50 2xlarge=0/15 4xlarge=0/30
f2 12xlarge=114/30 48xlarge=107/50 6xlarge=84/30
g4ad 16xlarge=6/30 2xlarge=12/4 4xlarge=11/10 8xlarge=10/15 xlarge=12/4
g4dn 12xlarge=54/30 16xlarge=118/15 2xlarge=39/10 4xlarge=59/10 8xlarge=58/15 metal=107/50 xlarge=39/10
g5 12xlarge=107/50 16xlarge=114/30 24xlarge=107/50 2xlarge=17/15 48xlarge=115/50 4xlarge=34/30 8xlarge=84/30 xlarge=4/15
g5g 16xlarge=107/50 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 metal=107/50 xlarge=18/15
g6 12xlarge=114/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 48xlarge=107/50 4xlarge=54/30 8xlarge=84/30 xlarge=18/15
g6e 12xlarge=112/30 16xlarge=107/50 24xlarge=102/50 2xlarge=38/15 48xlarge=82/50 4xlarge=54/30 8xlarge=84/30 xlarge=18/15
g6f 2xlarge=38/15 4xlarge=54/30 large=10/10 xlarge=18/15
g7 12xlarge=110/64 24xlarge=98/64 2xlarge=38/64 48xlarge=98/64 4xlarge=54/64 8xlarge=82/64
g7e 12xlarge=120/64 24xlarge=120/64 2xlarge=120/64 48xlarge=120/64 4xlarge=120/64 8xlarge=120/64
gr6 4xlarge=54/30 8xlarge=84/30
gr6f 4xlarge=54/30
h1 16xlarge=0/50 2xlarge=0/15 4xlarge=0/30 8xlarge=0/30
hpc7g 16xlarge=118/50 4xlarge=118/50 8xlarge=118/50
i2 2xlarge=0/15 4xlarge=0/30 8xlarge=0/30 xlarge=0/15
i3 16xlarge=0/50 2xlarge=0/15 4xlarge=0/30 8xlarge=0/30 large=0/10 metal=120/50 xlarge=0/15
i3en 12xlarge=54/30 24xlarge=107/50 2xlarge=28/15 3xlarge=38/15 6xlarge=54/30 large=5/10 metal=107/50 xlarge=12/15
i4g 16xlarge=107/50 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 large=9/10 xlarge=18/15
i4i 12xlarge=112/30 16xlarge=120/50 24xlarge=105/30 2xlarge=26/15 32xlarge=120/50 4xlarge=52/30 8xlarge=112/30 large=9/10 metal=120/50 xlarge=6/15
i7i 12xlarge=84/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 48xlarge=107/50 4xlarge=54/30 8xlarge=84/30 large=9/10 metal-24xl=107/50 metal-48xl=107/50 xlarge=18/15
i7ie 12xlarge=54/50 18xlarge=107/50 24xlarge=107/50 2xlarge=27/15 3xlarge=27/15 48xlarge=107/50 6xlarge=54/30 large=19/10 metal-24xl=107/50 metal-48xl=107/50 xlarge=27/15
i8g 12xlarge=54/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 48xlarge=107/50 4xlarge=54/30 8xlarge=54/30 large=9/10 metal-24xl=107/50 metal-48xl=107/50 xlarge=18/15
i8ge 12xlarge=50/30 18xlarge=106/50 24xlarge=106/50 2xlarge=27/15 3xlarge=25/30 48xlarge=98/50 6xlarge=52/30 large=19/10 metal-24xl=106/50 metal-48xl=98/50 xlarge=27/15
im4gn 16xlarge=107/50 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 large=9/10 xlarge=18/15
inf1 24xlarge=111/30 2xlarge=38/10 6xlarge=54/30 xlarge=38/10
inf2 24xlarge=107/50 48xlarge=107/50 8xlarge=84/30 xlarge=18/15
is4gen 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 large=9/10 medium=4/4 xlarge=18/15
m1 large=0/10 medium=0/6 small=0/4 xlarge=0/15
m2 2xlarge=0/30 4xlarge=0/30 xlarge=0/15
m3 2xlarge=0/30 large=0/10 medium=0/6 xlarge=0/15
m4 10xlarge=0/30 16xlarge=0/30 2xlarge=0/15 4xlarge=0/30 large=0/10 xlarge=0/15
m5 12xlarge=54/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 large=9/10 metal=120/50 xlarge=18/15
m5a 12xlarge=54/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 large=9/10 xlarge=18/15
m5ad 12xlarge=54/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 large=9/10 xlarge=18/15
m5d 12xlarge=54/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 large=9/10 metal=107/50 xlarge=18/15
m5dn 12xlarge=54/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 large=9/10 metal=107/50 xlarge=18/15
m5n 12xlarge=54/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 large=9/10 metal=107/50 xlarge=18/15
m5zn 12xlarge=107/50 2xlarge=62/15 3xlarge=92/30 6xlarge=114/30 large=13/10 metal=107/50 xlarge=29/15
m6a 12xlarge=114/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 32xlarge=107/50 48xlarge=107/50 4xlarge=54/30 8xlarge=84/30 large=9/10 metal=107/50 xlarge=18/15
m6g 12xlarge=54/30 16xlarge=107/50 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 large=9/10 medium=4/4 metal=107/50 xlarge=18/15
m6gd 12xlarge=54/30 16xlarge=107/50 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 large=9/10 medium=4/4 metal=107/50 xlarge=18/15
m6i 12xlarge=114/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 32xlarge=107/50 4xlarge=54/30 8xlarge=84/30 large=9/10 metal=107/50 xlarge=18/15
m6id 12xlarge=114/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 32xlarge=107/50 4xlarge=54/30 8xlarge=84/30 large=9/10 metal=107/50 xlarge=18/15
m6idn 12xlarge=114/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 32xlarge=106/50 4xlarge=54/30 8xlarge=84/30 large=9/10 metal=106/50 xlarge=18/15
m6in 12xlarge=114/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 32xlarge=106/50 4xlarge=54/30 8xlarge=84/30 large=9/10 metal=106/50 xlarge=18/15
m7a 12xlarge=114/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 32xlarge=107/50 48xlarge=107/50 4xlarge=54/30 8xlarge=84/30 large=9/10 medium=4/4 metal-48xl=107/50 xlarge=18/15
m7g-flex 2xlarge=18/15 4xlarge=34/30 8xlarge=54/30 large=3/10 medium=1/4 xlarge=8/15
m7g 12xlarge=54/30 16xlarge=107/50 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 large=9/10 medium=4/4 metal=107/50 xlarge=18/15
m7gd 12xlarge=54/30 16xlarge=107/50 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 large=9/10 medium=4/4 metal=107/50 xlarge=18/15
m7i-flex 12xlarge=114/30 16xlarge=107/50 2xlarge=18/15 4xlarge=34/30 8xlarge=54/30 large=3/10 xlarge=8/15
m7i 12xlarge=114/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 48xlarge=107/50 4xlarge=54/30 8xlarge=84/30 large=9/10 metal-24xl=107/50 metal-48xl=107/50 xlarge=18/15
m8a 12xlarge=110/64 16xlarge=106/64 24xlarge=106/64 2xlarge=38/40 48xlarge=98/64 4xlarge=54/40 8xlarge=82/40 large=9/20 medium=4/4 metal-24xl=106/64 metal-48xl=98/64 xlarge=18/20
m8azn 12xlarge=106/64 24xlarge=106/64 3xlarge=34/40 6xlarge=54/40 large=8/20 medium=3/4 metal-12xl=106/64 metal-24xl=106/64 xlarge=18/20
m8g-flex 12xlarge=54/30 16xlarge=47/50 2xlarge=18/15 4xlarge=34/30 8xlarge=54/30 large=3/10 medium=1/4 xlarge=8/15
m8g 12xlarge=54/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 48xlarge=107/50 4xlarge=54/30 8xlarge=54/30 large=9/10 medium=4/4 metal-24xl=107/50 metal-48xl=107/50 xlarge=18/15
m8gb 12xlarge=50/30 16xlarge=106/50 24xlarge=98/50 2xlarge=38/15 48xlarge=98/50 4xlarge=54/30 8xlarge=52/30 large=9/10 medium=4/4 metal-24xl=98/50 metal-48xl=98/50 xlarge=18/15
m8gd 12xlarge=54/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 48xlarge=107/50 4xlarge=54/30 8xlarge=54/30 large=9/10 medium=4/4 metal-24xl=107/50 metal-48xl=107/50 xlarge=18/15
m8gn 12xlarge=50/30 16xlarge=106/50 24xlarge=98/50 2xlarge=38/15 48xlarge=98/50 4xlarge=54/30 8xlarge=52/30 large=9/10 medium=4/4 metal-24xl=98/50 metal-48xl=98/50 xlarge=18/15
m8i-flex 12xlarge=110/50 16xlarge=106/64 2xlarge=18/30 4xlarge=34/50 8xlarge=52/50 large=3/20 xlarge=8/30
m8i 12xlarge=110/50 16xlarge=106/64 24xlarge=106/64 2xlarge=38/30 32xlarge=98/64 48xlarge=98/64 4xlarge=54/50 8xlarge=82/50 96xlarge=98/64 large=9/20 metal-48xl=98/64 metal-96xl=98/64 xlarge=18/30
m8ib 12xlarge=110/50 16xlarge=106/64 24xlarge=106/64 2xlarge=38/30 32xlarge=106/64 48xlarge=98/64 4xlarge=54/50 8xlarge=84/50 96xlarge=98/64 large=8/20 metal-48xl=98/64 metal-96xl=98/64 xlarge=18/30
m8id 12xlarge=110/50 16xlarge=106/64 24xlarge=106/64 2xlarge=38/30 32xlarge=98/64 48xlarge=98/64 4xlarge=54/50 8xlarge=82/50 96xlarge=98/64 large=9/20 metal-48xl=98/64 metal-96xl=98/64 xlarge=18/30
m8idb 12xlarge=110/50 16xlarge=106/64 24xlarge=106/64 2xlarge=38/30 32xlarge=106/64 48xlarge=98/64 4xlarge=54/50 8xlarge=84/50 96xlarge=98/64 large=8/20 metal-48xl=98/64 metal-96xl=98/64 xlarge=18/30
m8idn 12xlarge=110/50 16xlarge=106/64 24xlarge=106/64 2xlarge=38/30 32xlarge=106/64 48xlarge=98/64 4xlarge=54/50 8xlarge=84/50 96xlarge=98/64 large=8/20 metal-48xl=98/64 metal-96xl=98/64 xlarge=18/30
m8in 12xlarge=110/50 16xlarge=106/64 24xlarge=106/64 2xlarge=38/30 32xlarge=106/64 48xlarge=98/64 4xlarge=54/50 8xlarge=84/50 96xlarge=98/64 large=8/20 metal-48xl=98/64 metal-96xl=98/64 xlarge=18/30
m8ine 12xlarge=110/50 2xlarge=38/30 4xlarge=54/50 8xlarge=84/50 large=8/20 xlarge=18/30
m9g 12xlarge=50/50 16xlarge=106/64 24xlarge=98/64 2xlarge=38/30 48xlarge=98/64 4xlarge=54/50 8xlarge=52/50 large=9/20 medium=4/20 metal-48xl=98/64 xlarge=18/30
m9gd 12xlarge=50/50 16xlarge=106/64 24xlarge=98/64 2xlarge=38/30 48xlarge=98/64 4xlarge=54/50 8xlarge=52/50 large=9/20 medium=4/20 metal-48xl=98/64 xlarge=18/30
mac-m3ultra metal=6/30
mac-m4 metal=6/30
mac-m4max metal=6/30
mac-m4pro metal=6/30
mac1 metal=6/30
mac2-m1ultra metal=6/30
mac2-m2 metal=6/30
mac2-m2pro metal=6/30
mac2 metal=6/30
p3 16xlarge=0/30 2xlarge=0/15 8xlarge=0/30
p3dn 24xlarge=107/50
p4d 24xlarge=62/50
p4de 24xlarge=62/50
p5 48xlarge=120/50 4xlarge=58/30
p5e 48xlarge=120/50
p5en 48xlarge=120/50
p6-b200 48xlarge=120/50
p6-b300 48xlarge=120/50
r3 2xlarge=0/15 4xlarge=0/30 8xlarge=0/30 large=0/10 xlarge=0/15
r4 16xlarge=0/50 2xlarge=0/15 4xlarge=0/30 8xlarge=0/30 large=0/10 xlarge=0/15
r5 12xlarge=54/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 large=9/10 metal=120/50 xlarge=18/15
r5a 12xlarge=54/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 large=9/10 xlarge=18/15
r5ad 12xlarge=54/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 large=9/10 xlarge=18/15
r5b 12xlarge=54/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 large=9/10 metal=107/50 xlarge=18/15
r5d 12xlarge=54/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 large=9/10 metal=107/50 xlarge=18/15
r5dn 12xlarge=54/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 large=9/10 metal=107/50 xlarge=18/15
r5n 12xlarge=54/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 large=9/10 metal=107/50 xlarge=18/15
r6a 12xlarge=114/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 32xlarge=107/50 48xlarge=107/50 4xlarge=54/30 8xlarge=84/30 large=9/10 metal=107/50 xlarge=18/15
r6g 12xlarge=54/30 16xlarge=107/50 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 large=9/10 medium=4/4 metal=107/50 xlarge=18/15
r6gd 12xlarge=54/30 16xlarge=107/50 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 large=9/10 medium=4/4 metal=107/50 xlarge=18/15
r6i 12xlarge=114/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 32xlarge=107/50 4xlarge=54/30 8xlarge=84/30 large=9/10 metal=107/50 xlarge=18/15
r6id 12xlarge=114/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 32xlarge=107/50 4xlarge=54/30 8xlarge=84/30 large=9/10 metal=107/50 xlarge=18/15
r6idn 12xlarge=114/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 32xlarge=106/50 4xlarge=54/30 8xlarge=84/30 large=9/10 metal=106/50 xlarge=18/15
r6in 12xlarge=114/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 32xlarge=106/50 4xlarge=54/30 8xlarge=84/30 large=9/10 metal=106/50 xlarge=18/15
r7a 12xlarge=114/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 32xlarge=107/50 48xlarge=107/50 4xlarge=54/30 8xlarge=84/30 large=9/10 medium=4/4 metal-48xl=107/50 xlarge=18/15
r7g 12xlarge=54/30 16xlarge=107/50 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 large=9/10 medium=4/4 metal=107/50 xlarge=18/15
r7gd 12xlarge=54/30 16xlarge=107/50 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 large=9/10 medium=4/4 metal=107/50 xlarge=18/15
r7i 12xlarge=114/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 48xlarge=107/50 4xlarge=54/30 8xlarge=84/30 large=9/10 metal-24xl=107/50 metal-48xl=107/50 xlarge=18/15
r7iz 12xlarge=114/30 16xlarge=107/50 2xlarge=38/15 32xlarge=107/50 4xlarge=54/30 8xlarge=84/30 large=9/10 metal-16xl=107/50 metal-32xl=107/50 xlarge=18/15
r8a 12xlarge=110/64 16xlarge=106/64 24xlarge=106/64 2xlarge=38/40 48xlarge=98/64 4xlarge=54/40 8xlarge=82/40 large=9/20 medium=4/4 metal-24xl=106/64 metal-48xl=98/64 xlarge=18/20
r8g 12xlarge=54/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 48xlarge=107/50 4xlarge=54/30 8xlarge=54/30 large=9/10 medium=4/4 metal-24xl=107/50 metal-48xl=107/50 xlarge=18/15
r8gb 12xlarge=50/30 16xlarge=106/50 24xlarge=98/50 2xlarge=38/15 48xlarge=98/50 4xlarge=54/30 8xlarge=52/30 large=9/10 medium=4/4 metal-24xl=98/50 metal-48xl=98/50 xlarge=18/15
r8gd 12xlarge=54/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 48xlarge=107/50 4xlarge=54/30 8xlarge=54/30 large=9/10 medium=4/4 metal-24xl=107/50 metal-48xl=107/50 xlarge=18/15
r8gn 12xlarge=50/30 16xlarge=106/50 24xlarge=98/50 2xlarge=38/15 48xlarge=98/50 4xlarge=54/30 8xlarge=52/30 large=9/10 medium=4/4 metal-24xl=98/50 metal-48xl=98/50 xlarge=18/15
r8i-flex 12xlarge=110/50 16xlarge=106/64 2xlarge=18/30 4xlarge=34/50 8xlarge=52/50 large=3/20 xlarge=8/30
r8i 12xlarge=110/50 16xlarge=106/64 24xlarge=106/64 2xlarge=38/30 32xlarge=98/64 48xlarge=98/64 4xlarge=54/50 8xlarge=82/50 96xlarge=98/64 large=9/20 metal-48xl=98/64 metal-96xl=98/64 xlarge=18/30
r8ib 12xlarge=110/50 16xlarge=106/64 24xlarge=106/64 2xlarge=38/30 32xlarge=106/64 48xlarge=98/64 4xlarge=54/50 8xlarge=84/50 96xlarge=98/64 large=8/20 metal-48xl=98/64 metal-96xl=98/64 xlarge=18/30
r8id 12xlarge=110/50 16xlarge=106/64 24xlarge=106/64 2xlarge=38/30 32xlarge=98/64 48xlarge=98/64 4xlarge=54/50 8xlarge=82/50 96xlarge=98/64 large=9/20 metal-48xl=98/64 metal-96xl=98/64 xlarge=18/30
r8idb 12xlarge=110/50 16xlarge=106/64 24xlarge=106/64 2xlarge=38/30 32xlarge=106/64 48xlarge=98/64 4xlarge=54/50 8xlarge=84/50 96xlarge=98/64 large=8/20 metal-48xl=98/64 metal-96xl=98/64 xlarge=18/30
r8idn 12xlarge=110/50 16xlarge=106/64 24xlarge=106/64 2xlarge=38/30 32xlarge=106/64 48xlarge=98/64 4xlarge=54/50 8xlarge=84/50 96xlarge=98/64 large=8/20 metal-48xl=98/64 metal-96xl=98/64 xlarge=18/30
r8in 12xlarge=110/50 16xlarge=106/64 24xlarge=106/64 2xlarge=38/30 32xlarge=106/64 48xlarge=98/64 4xlarge=54/50 8xlarge=84/50 96xlarge=98/64 large=8/20 metal-48xl=98/64 metal-96xl=98/64 xlarge=18/30
t1 micro=0/2
t2 2xlarge=0/15 large=0/12 medium=0/6 micro=0/2 nano=0/2 small=0/4 xlarge=0/15
t3 2xlarge=0/15 large=0/12 medium=0/6 micro=0/2 nano=0/2 small=0/4 xlarge=0/15
t3a 2xlarge=0/15 large=0/12 medium=0/6 micro=0/2 nano=0/2 small=0/4 xlarge=0/15
t4g 2xlarge=0/15 large=0/12 medium=0/6 micro=0/2 nano=0/2 small=0/4 xlarge=0/15
trn1 2xlarge=17/15 32xlarge=82/50
trn1n 32xlarge=120/50
u-3tb1 56xlarge=6/30
u-6tb1 112xlarge=0/50 56xlarge=0/50
u7i-12tb 224xlarge=107/50
u7i-6tb 112xlarge=107/50
u7i-8tb 112xlarge=107/50
u7in-16tb 224xlarge=106/50
u7in-24tb 224xlarge=106/50
u7in-32tb 224xlarge=106/50
vt1 24xlarge=107/50 3xlarge=38/15 6xlarge=54/30
x1 16xlarge=0/30 32xlarge=0/30
x1e 16xlarge=0/30 2xlarge=0/15 32xlarge=0/30 4xlarge=0/15 8xlarge=0/15 xlarge=0/10
x2gd 12xlarge=54/30 16xlarge=107/50 2xlarge=38/15 4xlarge=54/30 8xlarge=54/30 large=9/10 medium=10/4 metal=107/50 xlarge=18/15
x2idn 16xlarge=107/50 24xlarge=107/50 32xlarge=107/50 metal=107/50
x2iedn 16xlarge=107/50 24xlarge=107/50 2xlarge=27/15 32xlarge=107/50 4xlarge=54/30 8xlarge=114/30 metal=107/50 xlarge=11/15
x2iezn 12xlarge=107/50 2xlarge=62/15 4xlarge=114/30 6xlarge=114/30 8xlarge=114/30 metal=107/50
x8aedz 12xlarge=106/64 24xlarge=106/64 3xlarge=34/40 6xlarge=54/40 large=8/20 metal-12xl=106/64 metal-24xl=106/64 xlarge=18/20
x8g 12xlarge=54/30 16xlarge=107/50 24xlarge=107/50 2xlarge=38/15 48xlarge=107/50 4xlarge=54/30 8xlarge=54/30 large=9/10 medium=4/4 metal-24xl=107/50 metal-48xl=107/50 xlarge=18/15
x8i 12xlarge=110/50 16xlarge=106/64 24xlarge=106/64 2xlarge=38/30 32xlarge=98/64 48xlarge=98/64 4xlarge=54/50 64xlarge=98/64 8xlarge=82/50 96xlarge=98/64 large=9/20 metal-48xl=98/64 metal-96xl=98/64 xlarge=18/30
z1d 12xlarge=107/50 2xlarge=58/15 3xlarge=54/30 6xlarge=54/30 large=13/10 metal=107/50 xlarge=28/15
`
