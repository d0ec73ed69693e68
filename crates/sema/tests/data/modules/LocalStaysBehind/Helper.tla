---- MODULE Helper ----
LOCAL INSTANCE Naturals
LOCAL Private == 1
Public == Private + 1
====
